"""Whether a certificate is of a form that a run can have, so that it can be worked with."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlanon.certificates.certificate import Certificate
from sqlanon.errors import Problem, SpecError
from sqlanon.spec.publication import RULES


def check_sound(certificate: Certificate) -> None:
    """Refuse a certificate whose digest is right and that no run can have come to.

    Raises:
        SpecError: naming the place of the certificate.
    """
    for place, what in _problems(certificate):
        raise SpecError(Problem(f"certificate.{place}", what))


def _problems(certificate: Certificate) -> Iterator[tuple[str, str]]:
    certified = [one.name for one in RULES.values() if not one.sliced]
    if certificate.publication not in certified:
        yield "publication", f"it must be one of {', '.join(certified)}"
        return
    release, *apart = certificate.relations
    if release.beside or not all(re.fullmatch(r"[a-z]+", one.beside) for one in apart):
        yield "relations", "the first must be the release, each other be named by a word"
    if len(apart) > (1 if certificate.shows_exact else 0):
        yield "relations", f"{certificate.publication} publishes fewer"
    for number, relation in enumerate(certificate.relations):
        names = [one.name for one in relation.columns]
        if not names or len(set(names)) < len(names) or not all(map(_is_name, names)):
            yield f"relations.{number}.columns", "each must have a name, and no two the same"
        groups = [one for one in relation.columns if one.role == "group"]
        if certificate.shows_exact and len(groups) < (2 if number else 1):
            yield f"relations.{number}.columns", "its groups are missing"
    protected = {
        one.name for each in certificate.relations for one in each.columns
        if one.role == "sensitive"
    }  # fmt: skip
    if not certificate.sensitive.keys() <= protected:
        yield "sensitive", "it must name sensitive columns of the relations"


def _is_name(text: str) -> bool:
    return bool(text) and "\x00" not in text
