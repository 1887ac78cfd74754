"""`python -m sqlanon` is the command line."""

from sqlanon.cli import main

main()
