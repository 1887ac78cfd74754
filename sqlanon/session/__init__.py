"""The session: it carries a plan out on an engine."""

from sqlanon.session.events import Event, Following, Listener
from sqlanon.session.local import facts_of_search, searching, sentence_of_search
from sqlanon.session.session import Session, statement

__all__ = [
    "Event",
    "Following",
    "Listener",
    "Session",
    "facts_of_search",
    "searching",
    "sentence_of_search",
    "statement",
]
