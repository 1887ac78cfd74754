"""The safe text of a database's error: a text on a list, whose names are known to be ours.

A database quotes values of the data in errors of every class: a cast that fails names the cell, a
function of the user's raises any text under any code, ``timezone(cell, …)`` calls a cell an unknown
zone. So a message is shown if its whole text has a form that is listed, and a name in it only where
the statement that failed holds that name already.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from dataclasses import dataclass

REFUSED = "refused the statement"
_WITHHELD = (
    "its message is withheld because it may quote the data: --show-database-errors (in Python "
    "show_database_errors=True) shows it"
)
_UNNAMED = "…"
# The messages that an operating system has about a file.
CAUSES = "|".join(sorted({re.escape(os.strerror(number)) for number in range(1, 134)}))


@dataclass(frozen=True)
class Safe:
    """A form of message that may be shown.

    Attributes:
        kinds: what kinds of error it is of: names of exceptions, or beginnings of SQLSTATEs.
        form: what the whole text is like; a group ``name``, or one that begins so, is a name.
        said: what is said, with the groups in braces; the whole text where None.
    """

    kinds: tuple[str, ...]
    form: str
    said: str | None = None


def safe_text(text: str, kind: str, forms: Collection[Safe], known: str) -> str | None:
    """The text that may be said of a message, or None.

    Args:
        text: the message.
        kind: what kind of error it is.
        forms: what is safe.
        known: the statement, and what else is known to be no data; names are looked up in it.
    """
    for safe in forms:
        found = re.fullmatch(safe.form, text, re.DOTALL)
        if found is None or not kind.startswith(safe.kinds):
            continue
        parts = {
            name: value if not name.startswith("name") or is_known(value, known) else _UNNAMED
            for name, value in found.groupdict(default="").items()
        }
        if safe.said is not None:
            return safe.said.format(**parts)
        for name, value in parts.items():
            if value == _UNNAMED:
                text = text.replace(found[name], _UNNAMED)
        return text
    return None


def is_known(name: str, known: str) -> bool:
    """Whether a statement holds a name as a word of its own."""
    bare = name.strip('"')
    return (
        bool(bare)
        and not bare.isdecimal()
        and bool(
            re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", known.replace('""', '"'), re.IGNORECASE)
        )
    )


def refusal(product: str, said: str | None, kind: str) -> str:
    """The message of an error: what may be said of it, or its kind and where to see the rest."""
    if said is not None:
        return f"{product} {REFUSED}: {said}"
    return f"{product} {REFUSED} ({kind}); {_WITHHELD}"
