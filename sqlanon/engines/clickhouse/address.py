"""The address of a ClickHouse server."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from sqlanon.errors import Problem, SpecError

_OPTIONS = ("ca_cert", "client_cert", "client_cert_key", "secure")
_FORM = "clickhouse://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE][?secure=true]"
_PASSWORD = "CLICKHOUSE_PASSWORD"  # noqa: S105 - the variable that ClickHouse's own client reads


def parameters(address: str) -> dict[str, Any]:
    """The parameters of a connection over HTTP.

    A password that the address lacks is that of the environment, in ``CLICKHOUSE_PASSWORD``.

    Args:
        address: ``clickhouse://ann@warehouse.acme.example/shop?secure=true``.

    Raises:
        SpecError: if it cannot be read, or says what it must not.
    """
    wrong = SpecError(Problem("database", f"an address of ClickHouse is {_FORM}"))
    try:
        parts = urlsplit(address)
        options = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
        host, port = parts.hostname, parts.port
    except ValueError:
        raise wrong from None
    path = [unquote(part) for part in parts.path.split("/") if part]
    if host is None or len(path) > 1 or parts.fragment or parts.username == "":
        raise wrong
    other = next((option for option, _ in options if option not in _OPTIONS), None)
    if other is not None:
        what = f"an address of ClickHouse has no option {other!r}: {', '.join(_OPTIONS)}"
        raise SpecError(Problem("database", what))
    password = os.environ.get(_PASSWORD) if parts.password is None else unquote(parts.password)
    found = {
        "host": host,
        "port": port,
        "username": None if parts.username is None else unquote(parts.username),
        "password": password,
        "database": path[0] if path else None,
    }
    return {name: value for name, value in found.items() if value is not None} | dict(options)
