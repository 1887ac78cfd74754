"""Roles against a truth by hand (tests/profile/roles.yaml), and what a first spec releases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from made_tables import MADE
from support import assert_listed, data_set

from sqlanon.engines import DuckDBEngine
from sqlanon.spec import Source
from sqlanon.uses.profile.first_spec import first_spec
from sqlanon.uses.profile.names import meaning_of
from sqlanon.uses.profile.profile import Profile
from sqlanon.uses.profile.roles import FEW
from sqlanon.uses.profile.table import profile_table

TRUTH: dict[str, dict[str, list[str]]] = yaml.safe_load(
    (Path(__file__).parent / "roles.yaml").read_text(encoding="utf-8")
)
ROLES = {
    "identifiers": ("identifier", "person"),
    "quasi_identifiers": ("quasi_identifier",),
    "sensitive": ("sensitive",),
}
# Precision and recall over all tables. An identifier that is missed does harm; what is taken for
# one is only not released.
LEAST = {"identifiers": (0.9, 1), "quasi_identifiers": (0.95, 0.8), "sensitive": (0.9, 0.9)}


def engine_of(name: str) -> tuple[DuckDBEngine, str]:
    """A database, and the table of a name in it or beside it."""
    connection = duckdb.connect()
    if name in MADE:
        connection.execute(f"create table {name} as {MADE[name][0]}")
    table = name if name in MADE else str(data_set(f"parquet/{name}.parquet"))
    return DuckDBEngine(connection=connection), table


@cache
def found(name: str) -> tuple[Profile, str]:
    """A table's profile, and its first spec."""
    engine, table = engine_of(name)
    profile = profile_table(Source.model_validate(Source.read(table)), engine)
    text, _ = first_spec(table, None, Path.cwd(), engine)
    engine.close()
    return profile, text


def truth(name: str) -> dict[str, list[str]]:
    return MADE[name][1] if name in MADE else TRUTH[name]


def counted(name: str) -> Counter[tuple[str, str]]:
    """By role, the columns that are rightly given it, that are given it, and that have it."""
    profile, _ = found(name)
    counts: Counter[tuple[str, str]] = Counter()
    for role, given in ROLES.items():
        said = {column.name for column in profile.columns if column.role.role in given}
        known = set(truth(name).get(role, []))
        counts[role, "right"] += len(said & known)
        counts[role, "said"] += len(said)
        counts[role, "known"] += len(known)
    return counts


def figures(counts: Counter[tuple[str, str]]) -> Iterator[str]:
    for role in ROLES:
        right = counts[role, "right"]
        for whole in (counts[role, "said"], counts[role, "known"]):
            yield f"{right} of {whole}" if whole else ""


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("name", MADE)
def test_roles_in_other_languages(name: str) -> None:
    profile, _ = found(name)
    said = {
        role: [column.name for column in profile.columns if column.role.role in given]
        for role, given in ROLES.items()
    }
    assert said == truth(name)


@pytest.mark.further
@pytest.mark.slow
def test_precision_and_recall_of_the_roles() -> None:
    """Run with UPDATE_DOCS=1 to write the table anew; then read the difference."""
    total: Counter[tuple[str, str]] = Counter()
    rows = []
    for name in (*TRUTH, *MADE):
        counts = counted(name)
        total += counts
        rows.append(f"| `{name}` | " + " | ".join(figures(counts)) + " |")
    rows.append("| all | " + " | ".join(figures(total)) + " |")
    assert_listed("profile.md", "| table | identifiers", rows)
    for role, (precision, recall) in LEAST.items():
        assert total[role, "right"] >= precision * total[role, "said"], f"precision of {role}"
        assert total[role, "right"] >= recall * total[role, "known"], f"recall of {role}"


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("name", [*TRUTH, *MADE])
def test_no_first_spec_releases_an_identifier_or_a_near_key(name: str) -> None:
    """Neither as it is, nor where every column that it proposes is taken up."""
    profile, text = found(name)
    declared: dict[str, Any] = yaml.safe_load(text)
    assert not declared["insensitive"], "nothing is released that nobody has decided on"
    proposed = yaml.safe_load(text.replace("  # - ", "  - "))["insensitive"] or []
    for column in proposed:
        counts = profile.column(column).counts
        assert 20 * counts.used <= counts.known or counts.used <= 20, column
        assert column not in truth(name).get("identifiers", []), column
    shown = [*(declared["quasi_identifiers"] or {}), *(declared["sensitive"] or {}), *proposed]
    assert not set(shown) & set(truth(name).get("identifiers", []))
    for column, settings in (declared["quasi_identifiers"] or {}).items():
        counts = profile.column(column).counts
        coarse = settings or meaning_of(column) in ("age", "postcode") or counts.used <= FEW
        assert coarse or not counts.tells(2), f"{column} is nearly a key"
    for column in declared["sensitive"] or {}:
        assert not profile.column(column).counts.tells(2), "its values point at persons"
