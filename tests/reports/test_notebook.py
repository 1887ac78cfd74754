"""What a notebook shows: a line of text, or a table; and what others make pictures of."""

from __future__ import annotations

import sys
import types
from html.parser import HTMLParser
from importlib.machinery import ModuleSpec
from typing import Any

import duckdb
import pytest
from support import DEALT, Connection, make_table

import sqlanon
from sqlanon.errors import SpecError

EVIL = "<b>a&ge</b>"
ROLES: dict[str, Any] = {
    "release": "public",
    "quasi_identifiers": [EVIL],
    "sensitive": {"ill": {"t": 0.5, "l": 2}},
    "k": 4,
    **DEALT,
}


@pytest.fixture
def connection() -> Connection:
    made: Connection = duckdb.connect()
    rows = [(i * i % 37, f"ill{i * 7 % 5 % 3}") for i in range(60)]
    make_table(made, "people", {EVIL: "integer", "ill": "varchar"}, rows)
    return made


def everything(connection: Connection) -> dict[str, Any]:
    """What the public functions return, of one small table."""
    given: dict[str, Any] = {"connection": connection}
    release = sqlanon.anonymize("people", **given, **ROLES)
    fields = {name: value for name, value in ROLES.items() if name != "k"}
    spec = sqlanon.parse_spec({"source": "people", "privacy": {"k": 4}, **fields})
    return {
        "Release(public, 60 records in": release,
        "Prepared(public, ": sqlanon.plan("people", **given, **ROLES),
        "Spec(public, k = 4, 2 columns)": spec,
        "CheckResult(people, ": sqlanon.check("people", **given, quasi_identifiers=[EVIL], k=2),
        "Attacked(public, ": sqlanon.attack("public", **given),
        "Risks(": sqlanon.risk("people", quasi_identifiers=[EVIL], **given),
        "Nodes(levels, ": sqlanon.nodes(_of_levels(given)),
        "Why(": release.why(),
        "Reachable('public', can be met)": sqlanon.why("people", **given, **ROLES),
        "Sweep(public__sweep, ": sqlanon.sweep("people", **given, **{**ROLES, "k": [4, 6]}),
        "Profile(60 records, 2 columns)": sqlanon.profile("people", **given),
        "Verified(passed, ": sqlanon.verify(release.certificate(), "public", **given),
    }


def _of_levels(given: dict[str, Any]) -> sqlanon.Release:
    """A release of a method that searches for levels."""
    levels = {EVIL: {"hierarchy": {"bands": [10]}}}
    declared: dict[str, Any] = {**ROLES, "quasi_identifiers": levels, "method": "optimal"}
    return sqlanon.anonymize("people", **given, **{**declared, "release": "levels"})


@pytest.mark.slow
def test_whatever_is_returned_is_a_line_and_a_table_of_text(connection: Connection) -> None:
    named = 0
    for begins, value in everything(connection).items():
        assert repr(value).startswith(begins), repr(value)
        first, *sentences = repr(value).splitlines()
        assert len(first) < 200
        # What it comes to is said of a release alone.
        assert sentences == (list(value.summary.sentences) if begins.startswith("Release") else [])
        shown = value._repr_html_()
        tags: list[str] = []
        parser = HTMLParser()
        parser.handle_starttag = lambda tag, attrs, tags=tags: tags.append(tag)  # type: ignore[method-assign, misc]
        parser.feed(shown)
        assert {"table", "td"} <= set(tags)
        assert "b" not in tags
        assert EVIL not in shown
        named += "&lt;b&gt;a&amp;ge&lt;/b&gt;" in shown
    assert named >= 3  # a spec, a profile, metrics of the quasi-identifier


def test_a_spec_does_not_show_its_seed_or_source(connection: Connection) -> None:
    spec = sqlanon.parse_spec(
        {
            "source": "secret_table",
            "release": "public",
            "quasi_identifiers": ["a"],
            "privacy": {"k": 2},
            "seed": 123_456_789,
        }
    )
    for text in (repr(spec), str(spec), spec._repr_html_()):
        assert "123456789" not in text
        assert "secret_table" not in text


@pytest.mark.slow
def test_charts_show_every_class_and_every_trial(connection: Connection) -> None:
    release = sqlanon.anonymize("people", connection=connection, **ROLES)
    drawn = release.charts()
    assert next(iter(drawn)) == "Sizes of the classes"
    assert len(drawn) == 3
    for title, chart in drawn.items():
        assert chart._repr_svg_().startswith("<svg")
        assert title in chart._repr_svg_()
        counts = sum(int(row[1].replace(",", "")) for row in chart.numbers.rows)
        assert counts == release.measure("classes")
    found = sqlanon.sweep("people", connection=connection, **{**ROLES, "k": [4, 6]})
    assert {row[3] for row in found.map().numbers.rows} == {
        f"{trial.t:.4g}" for trial in found.trials
    }


def test_polars_is_named_where_it_is_missing(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = sqlanon.anonymize("people", connection=connection, **ROLES)
    pytest.importorskip("pyarrow")
    assert release.arrow().num_rows == len(release.frame()) == 60
    with monkeypatch.context() as patched:
        patched.setattr("sqlanon.uses.release.release.find_spec", lambda name: None)
        with pytest.raises(SpecError, match="needs polars: install it"):
            release.polars()
    stand_in = types.ModuleType("polars")  # which is no dependency, of the tests neither
    stand_in.from_arrow = lambda table: ("frame", table)  # type: ignore[attr-defined]
    stand_in.__spec__ = ModuleSpec("polars", None)
    monkeypatch.setitem(sys.modules, "polars", stand_in)
    kind, table = release.polars()
    assert (kind, table.column_names, table.num_rows) == ("frame", [EVIL, "ill"], 60)
