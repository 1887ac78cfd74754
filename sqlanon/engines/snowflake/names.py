"""Names in Snowflake, which keeps a name in capitals that has no quotes; and its address."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, unquote, urlsplit

from sqlanon.errors import Problem, SpecError

# The options of an address; a secret belongs into connections.toml.
_OPTIONS = ("authenticator", "private_key_file", "role", "warehouse")
_FORM = "snowflake://[USER[:PASSWORD]@ACCOUNT or NAME]/DATABASE/SCHEMA?warehouse=…&role=…"
_CAPITALS = re.compile(r"[A-Z_][A-Z0-9_$]*")  # a name that Snowflake means without quotes
_SMALL = re.compile(r"[a-z_][a-z0-9_$]*")


def our_name(stored: str) -> str:
    """The name by which sqlanon calls what Snowflake has stored: ``age`` for ``AGE``."""
    return stored.lower() if _CAPITALS.fullmatch(stored) else stored


def stored_name(ours: str) -> str:
    """The name under which Snowflake stores what sqlanon calls so."""
    return ours.upper() if _SMALL.fullmatch(ours) else ours


def parameters(address: str) -> dict[str, str]:
    """The parameters of a connection.

    With an ``@`` the address names a user and an account. Otherwise it names a connection of
    Snowflake's ``connections.toml``, or the default one.

    Args:
        address: ``snowflake://ann@account/shop/public?warehouse=small``.

    Raises:
        SpecError: if it cannot be read, or says what it must not.
    """
    try:
        parts = urlsplit(address)
        options = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    except ValueError:
        raise SpecError(Problem("database", f"an address of Snowflake is {_FORM}")) from None
    user, at, account = parts.netloc.rpartition("@")
    name, colon, password = user.partition(":")
    path = [unquote(part) for part in parts.path.split("/") if part]
    if len(path) > 2 or parts.fragment or (at and not (name and account)):
        raise SpecError(Problem("database", f"an address of Snowflake is {_FORM}"))
    other = next((option for option, _ in options if option not in _OPTIONS), None)
    if other is not None:
        what = f"an address of Snowflake has no option {other!r}: {', '.join(_OPTIONS)}"
        raise SpecError(Problem("database", f"{what}; put all else into connections.toml"))
    found = dict(zip(("database", "schema"), path, strict=False))
    if at:
        found |= {"user": unquote(name), "account": unquote(account)}
        found |= {"password": unquote(password)} if colon else {}
    elif account:
        found["connection_name"] = unquote(account)
    return found | dict(options)
