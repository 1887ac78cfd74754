"""A plan as one SQL script, in every dialect."""

from sqlanon.scripts.syntax import Marks
from sqlanon.scripts.writer import message, script, script_place

__all__ = ["Marks", "message", "script", "script_place"]
