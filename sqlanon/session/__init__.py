"""What carries a plan out on an engine."""

from sqlanon.session.session import Event, Listener, Session, statement

__all__ = ["Event", "Listener", "Session", "statement"]
