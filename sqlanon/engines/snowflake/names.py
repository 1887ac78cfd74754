"""The names of things in Snowflake, which keeps a name in capitals that has no quotes."""

from __future__ import annotations

import re

_CAPITALS = re.compile(r"[A-Z_][A-Z0-9_$]*")  # a name that Snowflake means without quotes
_SMALL = re.compile(r"[a-z_][a-z0-9_$]*")


def our_name(stored: str) -> str:
    """The name by which sqlanon calls what Snowflake has stored: ``age`` for ``AGE``."""
    return stored.lower() if _CAPITALS.fullmatch(stored) else stored


def stored_name(ours: str) -> str:
    """The name under which Snowflake stores what sqlanon calls so."""
    return ours.upper() if _SMALL.fullmatch(ours) else ours
