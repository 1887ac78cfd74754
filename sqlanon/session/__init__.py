"""What carries a plan out on an engine."""

from sqlanon.session.events import Event, Following, Listener
from sqlanon.session.session import Session, statement

__all__ = ["Event", "Following", "Listener", "Session", "statement"]
