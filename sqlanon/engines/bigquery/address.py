"""The address of a data set of BigQuery."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from sqlanon.errors import Problem, SpecError

_FORM = "bigquery://PROJECT/DATASET"
_PROJECT, _DATASET = re.compile(r"[\w.:-]+"), re.compile(r"\w+")
_LOGIN = "it has no user: log in by `gcloud auth application-default login`"


def place(address: str) -> tuple[str, str]:
    """The project that runs and pays for the statements, and the data set of bare names.

    Args:
        address: ``bigquery://acme-research/patients``.

    Raises:
        SpecError: if it cannot be read, or says what it must not.
    """
    wrong = f"an address of BigQuery is {_FORM}"
    try:
        parts = urlsplit(address)
    except ValueError:
        raise SpecError(Problem("database", wrong)) from None
    project, path = unquote(parts.netloc), parts.path.strip("/")
    if "@" in parts.netloc:
        raise SpecError(Problem("database", f"{wrong}; {_LOGIN}"))
    named = _PROJECT.fullmatch(project) and _DATASET.fullmatch(path)
    if not named or parts.query or parts.fragment:
        raise SpecError(Problem("database", wrong))
    return project, path
