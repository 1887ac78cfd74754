"""The command line."""

from sqlanon.cli.main import main

__all__ = ["main"]
