"""The hash of data that is no table: the same wherever and whenever it is worked out."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any


def digest(value: Any) -> str:
    """SHA-256 of JSON with sorted keys and no spaces, in UTF-8."""
    return hashlib.sha256(_bytes(value)).hexdigest()


def salted(value: Any, salt: str) -> str:
    """HMAC-SHA-256 of the same under a salt: without it no guess of the value can be tried."""
    return hmac.new(salt.encode(), _bytes(value), hashlib.sha256).hexdigest()


def _bytes(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode()
