"""The name of a database: which product it means, and how it may be shown."""

from __future__ import annotations

import re
from typing import Literal

Product = Literal["duckdb", "postgres", "spark"]

_PRODUCTS: tuple[tuple[str, Product], ...] = (
    (r"postgres(ql)?://.*", "postgres"),
    (r"spark(://.*)?|local\[.*\]|sc://.*", "spark"),
)


def product(database: str | None) -> Product:
    """The product that a database's name means; whatever is no known address is a DuckDB file."""
    for form, name in _PRODUCTS:
        if re.fullmatch(form, database or "", re.DOTALL):
            return name
    return "duckdb"


def shown(database: str) -> str:
    """A database's name without its secrets; rather too little than a part of a password."""
    if product(database) == "duckdb":
        return database
    scheme, colon, rest = database.partition("://")
    user, at, place = rest.rpartition("@")
    place = re.sub(r"[?&;][^=&;]*(pass|token|secret)[^=&;]*=[^&;]*", "", place, flags=re.IGNORECASE)
    return f"{scheme}{colon}{user.partition(':')[0]}{at}{place}"


def gives_away(database: str, message: str) -> bool:
    """Whether a message about a database quotes a part of what `shown` hides of its name."""
    kept = set(re.split(r"[^\w]+", shown(database)))
    secret = set(re.split(r"[^\w]+", database)) - kept
    return any(part in message for part in secret if part)
