"""A report is one page that needs nothing else, says what was measured, and keeps secrets."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import duckdb
import pytest
from commands import sqlanon as command
from hypothesis import given
from hypothesis import strategies as st
from needs import missing
from servers import place
from support import DEALT, Connection, examples, make_table

import sqlanon
from sqlanon.common.visible import percent
from sqlanon.engines import DuckDBEngine
from sqlanon.errors import EngineError, SpecError
from sqlanon.pages.charts.chart import Bin, Histogram, Line, Map, Point
from sqlanon.pages.charts.svg import document, light_style
from sqlanon.pages.page import Page, Section, Table, number, render
from sqlanon.record.recorded import recorded
from sqlanon.spec import Source
from sqlanon.sql.names import identifier
from sqlanon.uses.profile.beside import sections_beside
from sqlanon.uses.reports.charts import fragments_section
from sqlanon.uses.reports.report import page_of, report
from sqlanon.uses.sweeps.sweep import kept_map

EVIL = '<script>alert("1")</script>&amp;\'"><img src=http://x.example/a>'
VOID = {"meta", "link", "img", "br", "hr", "input"}
COLUMNS = {"age": "integer", EVIL: "varchar", "disease": "varchar", "dose": "decimal(9,1)"}
ROLES: dict[str, Any] = {
    "release": "public",
    "quasi_identifiers": ["age", EVIL],
    "sensitive": {"disease": {"t": 0.5, "l": 2}},
    "insensitive": {"dose": {"accept": "a reason of ours"}},
    "privacy": {"k": 3},
    "seed": 987_654_321,
    **DEALT,
}
INTERNAL = ("classes", "bounds", "values", "attacks", "sql")
BOTH = (
    *("summary", "reached", "declared", "suppression", "certificate", "transforms"),
    "measures",
)


class Parsed(HTMLParser):
    """A page, read: every element closed in order; its cells by table, and what it names."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.rows: list[list[str]] = []
        self.folded: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag == "pre":
            self.folded.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self.open[-2:]):
            self.rows[-1][-1] += data
        if self.open and self.open[-1] == "pre":
            self.folded[-1] += data


@pytest.fixture
def connection() -> Connection:
    made: Connection = duckdb.connect()
    texts = ["<b>one</b>", "two & three", None, 'q"uote']
    rows = [(i % 5, texts[i % 4], f"ill{i * i % 3}", [0.5, None][i % 2]) for i in range(24)]
    make_table(made, "people", COLUMNS, rows)
    return made


def pages(
    connection: Any, folder: Path, source: str = "people", **declared: Any
) -> tuple[sqlanon.Release, str, str]:
    """A release, and both of its reports."""
    release = sqlanon.anonymize(source, connection=connection, **{**ROLES, **declared})
    texts = [
        release.report(folder / f"{external}.html", external=external).read_text(encoding="utf-8")
        for external in (False, True)
    ]
    return release, texts[0], texts[1]


# --- the page ------------------------------------------------------------------------------------


def test_a_page_needs_nothing_else_and_hostile_names_are_text(
    connection: Connection, tmp_path: Path
) -> None:
    _, *texts = pages(connection, tmp_path)
    for text in texts:
        page = Parsed(text)
        assert {"script", "link", "img", "b", "iframe", "object"}.isdisjoint(page.tags)
        assert len(page.ids) == len(set(page.ids))
        for name, value in page.attributes:
            assert name not in ("src", "srcset", "action", "style")
            assert not name.startswith("on")
            assert name != "href" or value.removeprefix("#") in page.ids
            if name == "aria-labelledby":
                assert set(value.split()) <= set(page.ids)
        style = text.split("<style>")[1].split("</style>")[0]
        assert not re.search(r"url\(|@import|http", style)
        assert "default-src 'none'" in text
        assert "prefers-color-scheme: dark" in style
        assert "@media print" in style
        assert any(EVIL in cell for row in page.rows for cell in row)
    assert any("<b>one</b>" in cell for row in Parsed(texts[0]).rows for cell in row)


@pytest.mark.slow
@examples(10, 200)
@given(st.lists(st.text(), min_size=4, max_size=4), st.lists(st.text(), max_size=3))
def test_any_text_is_shown_and_none_is_markup(texts: list[str], names: list[str]) -> None:
    texts = [text.encode("utf-8", "replace").decode() for text in (*texts, *names)]
    head, words, title, folded = texts[:4]
    table = Table(title, (head,), tuple((text,) for text in texts))
    chart = Histogram(title, head, words, (Bin(1.0, 2.0, 3),), bound=1.5)
    section = Section("one", title, (words,), (table,), (chart,), (head, folded))
    page = Parsed(render(Page(title, words, True, ((head, words),), (section,))))
    plain = Page(
        "", "", True, (("", ""),), (Section("one", "", ("",), (table,), (chart,), ("", "")),)
    )
    assert page.tags == Parsed(render(plain)).tags


def test_bars_lie_in_the_picture() -> None:
    bins = (Bin(3, 5, 7), Bin(6, 8, 1), Bin(30, 32, 2))
    for bound in (None, 1.0, 31.0, 99.0):
        drawn = Drawn(document(Histogram("t", "x", "classes", bins, True, bound).picture))
        bars = drawn.of("bar")
        assert [bar["title"].split(":")[0] for bar in bars] == ["3 to 5", "6 to 8", "30 to 32"]
        heights = [float(bar["height"]) for bar in bars]
        assert heights[0] == drawn.floor - drawn.top
        assert heights[1] == pytest.approx(heights[0] / 7, abs=0.01)
        for bar in bars:
            right = float(bar["x"]) + float(bar["width"])
            assert drawn.left <= float(bar["x"]) < right <= drawn.right
        marks = [float(entry["x"]) for entry in (*drawn.of("middle"), *drawn.of("bounded"))]
        assert len(marks) > 2
        assert all(drawn.left <= mark <= drawn.right for mark in marks)
        assert len(drawn.of("bounded")) == (bound is not None)
    alone = Drawn(document(Histogram("t", "x", "classes", (Bin(0.25, 0.25, 4),)).picture))
    assert alone.left < float(alone.of("bar")[0]["x"]) < alone.right


class Drawn:
    """A chart's elements, and where its axes lie."""

    def __init__(self, text: str) -> None:
        self._all = [
            {**one.attrib, "title": "".join(one.itertext())}
            for one in ElementTree.fromstring(text).iter()
        ]
        across, up = self.of("axis")
        self.left, self.right = float(across["x1"]), float(across["x2"])
        self.top, self.floor = float(up["y1"]), float(up["y2"])

    def of(self, kind: str) -> list[dict[str, str]]:
        """The elements of a class."""
        return [entry for entry in self._all if kind in entry.get("class", "").split()]


# --- what it says --------------------------------------------------------------------------------


def test_every_section_is_there_with_the_numbers_of_the_metrics(
    connection: Connection, tmp_path: Path
) -> None:
    release, text, other = pages(connection, tmp_path)
    page = Parsed(text)
    assert set(page.ids) >= {*INTERNAL, *BOTH}
    shown = set(map(tuple, page.rows))
    known = connection.execute("select metric, attribute, value, threshold from public__metrics")
    found = 0
    for metric, attribute, value, threshold in known.fetchall():
        rows = [row for row in shown if number(value) in row]
        rows = [row for row in rows if attribute is None or attribute in row]
        assert rows, metric
        assert threshold is None or any(threshold in row for row in rows)
        found += 1
    assert found == len(release.measures)
    assert "Every class has at least 3 records." in text
    assert page.folded[1] == release.sql.lstrip("\n")
    assert any(row[-1].startswith("accepted: a reason of ours") for row in page.rows)
    assert set(Parsed(other).ids) >= set(BOTH)
    certificate = release.certificate()
    for one in (text, other):
        assert certificate.digest in one
        assert certificate.relations[0].content in one


def test_the_first_screen_is_the_verdict_and_what_was_not_published_is_last_and_folded(
    connection: Connection, tmp_path: Path
) -> None:
    connection.execute("alter table people add column note varchar")
    release, text, other = pages(connection, tmp_path)
    for one, head in ((text, ["figure", "source", "asked for", "release"]), (other, None)):
        ids = Parsed(one).ids
        assert ids[0] == "summary"
        first = one.split('<section id="summary"')[1].split("</section>")[0]
        assert release.summary.protected in first
        rows = Parsed(f"<section{first}</section>").rows
        assert rows[0] == (head or ["figure", "asked for", "release"])
        figures = [row[0] for row in rows]
        assert {"k-anonymity", "information lost", "t-closeness of disease"} < set(figures)
    known = {row[0]: row[1:] for row in Parsed(text).rows if len(row) == 4}
    (tuples,) = connection.execute(
        f"select count(*) from (select distinct age, {identifier(EVIL)} from people)"
    ).fetchall()[0]
    average = known["chance to pick out a person on average"]
    assert average == [percent(tuples / 24), "", percent(release.measure("marketer_risk") or 0)]
    last = text.split("<section ")[-1]
    assert last.startswith('id="unpublished" class="closed"')
    assert "<details><summary>" in last
    assert ["note", "none"] in Parsed(
        last.split("</main>")[0].join(("<main><section ", "</main>"))
    ).rows
    assert "note" not in "".join("".join(row) for row in Parsed(other).rows)


def test_what_holds_is_listed(connection: Connection, tmp_path: Path) -> None:
    insensitive: dict[str, Any] = {"dose": {}, "age_again": {}}
    connection.execute("alter table people add column age_again integer")
    release, *texts = pages(connection, tmp_path, insensitive=insensitive)
    asked = [metric for metric in release.measures if metric.passed is not None]
    assert len(asked) > 4
    for text in texts:
        assert f"{len(asked)} of {len(asked)} hold: they are listed below" in text
        section = text.split('<section id="reached"')[1].split("</section>")[0]
        rows = Parsed(f"<section{section}</section>").rows
        listed = [row for row in rows if row[-1:] == ["yes"]]
        assert len(listed) == len(asked)
        of = sorted(metric.attribute or "every class" for metric in asked)
        assert sorted(row[1] for row in listed) == of


@pytest.mark.slow
def test_a_long_script_stays_in_the_run(
    connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release, text, _ = pages(connection, tmp_path)
    monkeypatch.setattr("sqlanon.uses.reports.report._SQL_LIMIT", len(release.sql) - 1)
    without = release.report(tmp_path / "without.html").read_text()
    assert "create table" not in without.lower()
    assert f"{len(release.sql.splitlines()):,} lines" in without
    assert "the item sql of public__run" in without
    assert len(Parsed(without).folded) == len(Parsed(text).folded) - 1


def test_bins_hold_every_class_and_values_every_record(
    connection: Connection, tmp_path: Path
) -> None:
    _, text, _ = pages(connection, tmp_path)
    section = text.split('<section id="classes"')[1].split("</section>")[0]
    counts = [int(row[1]) for row in Parsed(section).rows[1:]]
    (classes,) = connection.execute("select count(*) from public__classes").fetchall()[0]
    assert sum(counts) == classes
    section = text.split('<section id="values"')[1].split("</section>")[0]
    rows = [row for row in Parsed(section).rows if row[0].startswith("ill")]
    assert {row[0]: int(row[1]) for row in rows} == dict(
        connection.execute("select disease, count(*) from public group by disease").fetchall()
    )


@pytest.mark.slow
def test_a_report_is_the_same_for_the_same_run(connection: Connection, tmp_path: Path) -> None:
    release, *texts = pages(connection, tmp_path)
    for external, text in zip((False, True), texts, strict=True):
        again = release.report(tmp_path / "again.html", external, overwrite=True)
        assert again.read_bytes() == text.encode()


def test_the_external_version_keeps_what_is_the_publishers(
    connection: Connection, tmp_path: Path
) -> None:
    query = "select * from people where disease <> 'a secret disease'"
    rounded = {"dose": {"accept": "a reason of ours", "transform": {"round": 1}}}
    _, text, other = pages(connection, tmp_path, source=query, insensitive=rounded)
    page = Parsed(other)
    assert {*INTERNAL}.isdisjoint(page.ids)
    assert {"svg", "figure"} & set(page.tags) <= {"svg"}  # bars of the loss alone
    assert page.folded == []
    for secret in ("a secret disease", "987654321", "a reason of ours", "ill0", "two &amp; three"):
        assert secret in text, secret
        assert secret not in other, secret
    classes = connection.execute(
        "select disease_t_closeness, disease_entropy_l from public__classes"
    )
    worst = connection.execute(
        "select value from public__metrics where attribute = 'disease' or metric like '%sensitive%'"
    )
    figures = {number(value) for row in (*classes.fetchall(), *worst.fetchall()) for value in row}
    cells = {cell for row in page.rows for cell in row}
    assert not {figure for figure in figures if "." in figure} & cells
    of_disease = [row for row in page.rows if "disease" in row and len(row) == 6]
    assert {row[4] for row in of_disease} == {"not shown here"}
    assert {row[5] for row in of_disease} == {"yes"}


@pytest.mark.slow
def test_the_internal_version_shows_what_attacks_find_and_what_was_tried(
    connection: Connection, tmp_path: Path
) -> None:
    _, text, other = pages(connection, tmp_path)
    assert 'id="sweep"' not in text
    found = sqlanon.attack("public", connection=connection)
    rows = Parsed(text).rows
    assert found.findings
    for finding in found.findings:
        shown = [
            finding.figure.replace("_", " "),
            finding.attribute or "the release",
            number(finding.value),
        ]
        assert any(row[:3] == shown for row in rows), finding.figure
    tried = sqlanon.sweep("people", connection=connection, k=[3, 6], t=[0.5, 0.01], **ROLES)
    past = recorded("public", tried.engine)
    shown_map = kept_map(past)
    assert shown_map is not None
    assert shown_map == tried.map()
    with_map, external = (
        report(past, tmp_path / f"swept{external}.html", external).read_text(encoding="utf-8")
        for external in (False, True)
    )
    section = with_map.split('<section id="sweep"')[1].split("</section>")[0]
    page = Parsed(section)
    assert [row[1] for row in page.rows[1:]] == [str(point.k) for point in shown_map.points]
    assert section.count('class="dot ') == len(shown_map.points) + len(shown_map.methods)
    assert "this release" in section
    assert external == other
    connection.execute("comment on table public__sweep is 'of somebody else'")
    assert kept_map(past) is None


@pytest.mark.slow
def test_beside_its_source_a_report_shows_risk_and_utility(
    connection: Connection, tmp_path: Path
) -> None:
    made, *_ = pages(connection, tmp_path)
    past, people = recorded("public", made.engine), Source(table="people")
    shown, others = (
        Parsed(render(page_of(past, external, sections_beside(past, people, external))))
        for external in (False, True)
    )
    names = list(past.spec["quasi_identifiers"])
    before = sqlanon.risk("people", quasi_identifiers=names, connection=connection)
    after = sqlanon.risk("public", quasi_identifiers=names, connection=connection)
    for finding in before.figures:
        of_release = number(after.value(finding.figure))
        row = [
            finding.figure.replace("_", " "),
            number(finding.value),
            of_release,
            finding.range,
            finding.sentence,
        ]
        assert row in shown.rows, finding.figure
    found = sqlanon.utility("public", connection=connection)
    assert found.findings
    for useful in found.findings:
        of = " and ".join(useful.of) or "the release"
        row = [useful.figure.replace("_", " "), of, number(useful.value), useful.direction or ""]
        assert any(entry[:4] == row for entry in shown.rows), useful.figure
        known = bool(useful.of) and set(useful.of) <= set(names)
        assert any(entry[:4] == row for entry in others.rows) == known, useful.figure
    assert "risk" not in others.ids
    for name in names:
        for values in found.marginals[name]:
            ends = ["NULL" if end is None else end for end in (values.starts, values.ends)]
            label = " to ".join(dict.fromkeys(ends))
            row = [label, f"{values.source:.1%}", f"{values.released:.1%}"]
            lines = ([line[0], line[1], line[3]] for line in shown.rows if len(line) == 5)
            assert row in lines, label
    assert ["value", "source", "of all", "release", "of all"] not in others.rows


@pytest.mark.slow
def test_a_release_in_hand_is_reported_attacked_and_measured_without_its_name(
    connection: Connection, tmp_path: Path
) -> None:
    frame = connection.execute("select * from people").df()
    with sqlanon.anonymize(frame, **ROLES) as made:  # in memory: nothing else can open it
        alone = sqlanon.report(made, tmp_path / "alone.html")
        assert alone.read_bytes() == made.report(tmp_path / "own.html").read_bytes()
        beside = sqlanon.report(made, tmp_path / "beside.html", source=frame)
        page = Parsed(beside.read_text(encoding="utf-8"))
        assert {"risk", "utility"} <= set(page.ids)
        assert not {"risk", "utility"} & set(Parsed(alone.read_text(encoding="utf-8")).ids)
        found = sqlanon.utility(made, source=frame)
        row = found.findings[0]
        assert any(number(row.value) in line for line in page.rows)
        linked = sqlanon.attack(made, external=frame).value("linking_smallest_group")
        assert linked is not None
        assert linked >= ROLES["privacy"]["k"]
        with pytest.raises(sqlanon.SpecError, match="no name: give the source again"):
            sqlanon.utility(made)
        with pytest.raises(sqlanon.SpecError, match="knows its database"):
            sqlanon.report(made, tmp_path / "no.html", database="other.duckdb")
        with pytest.raises(sqlanon.SpecError, match="knows the roles"):
            sqlanon.attack(made, quasi_identifiers=["age"])
        with pytest.raises(sqlanon.SpecError, match="html"):
            sqlanon.report(made, tmp_path / "no.pdf")
        assert not list(tmp_path.glob("no.*"))
        assert made.measure("k_anonymity")  # it is still open


@pytest.mark.slow
def test_the_rows_of_slices_are_not_taken_for_persons(
    connection: Connection, tmp_path: Path
) -> None:
    slices = {"name": "sliced", "group": 12, "columns": [["age"], [EVIL], ["disease"]]}
    declared = {"publish": slices, "privacy": {"k": 1}, "insensitive": {}}
    made = sqlanon.anonymize("people", connection=connection, **{**ROLES, **declared})
    past = recorded("public", made.engine)
    risk, useful = sections_beside(past, Source(table="people"), external=False)
    assert "shuffled" in risk.words[0]
    assert not risk.tables
    assert any("shuffled inside groups" in str(row[5]) for row in useful.tables[0].rows)


def test_points_of_a_map_lie_in_the_picture() -> None:
    points = (Point("m", 2, 0.5, 0.0, True), Point("m", 3, 0.5, 0.0, False))
    other = (Point("<n>", 3, 0.75, 0.25, True),)
    for series, here in (
        ((Line("m", points),), None),
        ((Line("m", points), Line("<n>", other)), (0.9, 0.5)),
    ):
        shown = Map("loss", "risk", series, here=here)
        drawn = Drawn(document(shown.picture))
        dots = [entry for entry in drawn.of("dot") if ":" in entry["title"]]
        assert len(dots) == len(shown.points)
        places = [middle_of(entry) for entry in (*dots, *drawn.of("frame")[: here is not None])]
        for x, y in places:
            assert drawn.left <= x <= drawn.right
            assert drawn.top <= y <= drawn.floor
        assert ["hollow" in dot["class"] for dot in dots][:2] == [False, True]
    assert places[0][0] < places[2][0] < places[3][0]
    assert places[0][1] > places[2][1] > places[3][1]
    assert [dot["title"].split(",")[0] for dot in dots] == ["m", "m", "<n>"]
    assert dots[0]["class"] == "dot h0 s0"
    assert dots[2]["class"] == "dot h1 s1"


def middle_of(one: dict[str, str]) -> tuple[float, float]:
    """The middle of a mark."""
    if "cx" in one:
        return float(one["cx"]), float(one["cy"])
    if "d" in one:
        left, up, right, down = map(float, re.findall(r"[\d.]+", one["d"])[:4])
        return (left + right) / 2, (up + down) / 2
    half = float(one["width"]) / 2
    return float(one["x"]) + half, float(one["y"]) + half


def test_a_map_without_points_is_drawn() -> None:
    assert not Drawn(document(Map("loss", "risk", ()).picture)).of("dot")


def test_a_chart_shows_no_text_as_markup() -> None:
    evil = '</style></svg><script>alert("1")</script>'
    shown = Map(evil, evil, (Line(evil, (Point(evil, 2, 0.5, 0.1, True),)),), title=evil)
    for chart in (shown, Histogram(evil, evil, evil, (Bin(1, 2, 3),))):
        drawn = ElementTree.fromstring(document(chart.picture))
        assert not [one for one in drawn.iter() if one.tag.endswith("script")]
        assert any(evil in "".join(one.itertext()) for one in drawn.iter())


def test_a_chart_follows_the_mode_and_prints_light() -> None:
    shown = Histogram("t", "x", "y", (Bin(1, 2, 3),))
    for text in (document(shown.picture), shown._repr_svg_()):
        style = text.split("<style>")[1].split("</style>")[0]
        assert "@media screen and (prefers-color-scheme: dark)" in style
        used, known = (set(re.findall(one, style)) for one in (r"var\((--\w+)\)", r"(--\w+):"))
        assert used <= known
    assert "var(" not in light_style()
    assert "@media" not in light_style()


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize(
    "declared",
    [
        {"sensitive": {}},
        {"publish": {"name": "anatomy", "group": 4}, "privacy": {"k": 1}},
        {"publish": {"name": "permuted", "group": 4}, "privacy": {"k": 1}},
        {
            "publish": {"name": "sliced", "group": 12, "columns": [["age"], [EVIL], ["disease"]]},
            "privacy": {"k": 1},
            "insensitive": {},
        },
        {"materialize": "view"},
        {
            "method": "optimal",
            "quasi_identifiers": {"age": {"hierarchy": {"bands": [2]}}},
            "sensitive": {"disease": {"l": 2}},
            "suppression": {"records": 0.1},
        },
        {"person": "dose", "insensitive": {}, "sensitive": {"disease": {"t": 1}}},
        {"release": '"Od""d <i> name"'},
    ],
    ids=[
        "no sensitive",
        "anatomy",
        "permuted",
        "sliced",
        "view",
        "suppression",
        "persons",
        "odd name",
    ],
)
def test_odd_releases(connection: Connection, tmp_path: Path, declared: dict[str, Any]) -> None:
    if "person" in declared:
        connection.execute("update people set dose = age + 0.5")
    if "suppression" in declared:
        connection.execute("insert into people values (90, 'two', 'ill0', 0.5)")
    release, *texts = pages(connection, tmp_path, **declared)
    classes = release.engine.named(release.classes)
    if declared.get("sensitive", True):
        (there,) = connection.execute(f"select count(*) from {classes}").fetchall()[0]
        assert release.why().classes == there
    for text in texts:
        page = Parsed(text)
        assert set(page.ids) >= set(BOTH)
        records = number(release.measure("records"))
        assert ["Records", records] in page.rows
        assert "i" not in page.tags
    if "suppression" in declared:
        left_out = connection.execute("select sum(records) from public__suppressed").fetchall()[0]
        assert left_out[0] > 0
        assert f"{left_out[0]} of 25 records" in texts[1]
        rows = [row for row in Parsed(texts[0]).rows if row[-1:] == [str(left_out[0])]]
        assert rows
        assert "Why they were left out" not in texts[1]
    if "person" in declared:
        reached = [row for row in Parsed(texts[1]).rows if row[0] == "k-anonymity"]
        assert [row[-1 if len(row) == 3 else 4] for row in reached] == ["not shown here"] * 2


@pytest.mark.slow
def test_a_report_of_postgres(urls: Mapping[str, str], tmp_path: Path) -> None:
    with place("postgres", urls) as there:
        rows = [(i % 5, "x", f"ill{i * i % 3}", 0.5) for i in range(24)]
        there.make_table("people", {**COLUMNS}, rows)
        release, text, _ = pages(there.connection, tmp_path)
        release.close()
    page = Parsed(text)
    assert set(page.ids) >= {*INTERNAL, *BOTH}
    assert any(row[:2] == ["ill0", "8"] for row in page.rows)


# --- the file ------------------------------------------------------------------------------------


def test_the_command_writes_the_page_and_replaces_none(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "public.duckdb")) as made:
        made.execute("create table people as select i % 3 as age from range(12) as n(i)")
        declared = {"release": "public", "quasi_identifiers": ["age"], "k": 3, **DEALT}
        sqlanon.anonymize("people", connection=made, **declared).close()
    done = command(tmp_path, "report", "public")
    assert (done.returncode, done.stdout) == (0, "Wrote public.html, for you alone.\n")
    first = (tmp_path / "public.html").read_bytes()
    done = command(tmp_path, "report", "public", "--external")
    assert done.returncode == 2
    assert "is there already" in done.stderr
    assert (tmp_path / "public.html").read_bytes() == first
    done = command(tmp_path, "report", "public", "--external", "--overwrite")
    assert done.stdout == "Wrote public.html, to hand out.\n"
    for file, says in (("x.pdf", "must end in .html"), ("gone/x.html", "there is no folder")):
        done = command(tmp_path, "report", "public", "-o", file)
        assert done.returncode == 2
        assert says in done.stderr
    with duckdb.connect(str(tmp_path / "public.duckdb")) as made:
        made.execute("drop table public__classes")
    done = command(tmp_path, "report", "public", "-o", "x.html")
    assert done.returncode == 2
    assert "'public__classes' is gone: run its spec again" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["public.duckdb", "public.html"]


@pytest.mark.slow
def test_a_page_that_fails_leaves_no_file(
    connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release, *_ = pages(connection, tmp_path)
    before = sorted(tmp_path.iterdir())

    def fail(*given: Any) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(EngineError, match="No space left"):
        release.report(tmp_path / "x.html")
    assert sorted(tmp_path.iterdir()) == before
    with pytest.raises(SpecError, match="is there already"):
        release.report(before[0])


def a_browser() -> str:
    """Chromium or Chrome; a test is skipped where there is neither."""
    known = ("chromium", "chromium-browser", "google-chrome")
    browser = os.environ.get("SQLANON_CHROMIUM") or next(
        filter(None, map(shutil.which, known)), None
    )
    if browser is None:
        missing("chromium", "neither Chromium nor Chrome is installed")
    return browser


@pytest.mark.slow
def test_a_table_of_twenty_columns_prints_on_eight_pages(tmp_path: Path) -> None:
    made: Connection = duckdb.connect()
    names = [f"column_of_number_{i}" for i in range(20)]
    rows = [tuple((i * (j + 3) + i * i // 7) % 5 for j in range(20)) for i in range(400)]
    make_table(made, "people", dict.fromkeys(names, "integer"), rows)
    declared: dict[str, Any] = {
        **DEALT,
        "release": "public",
        "quasi_identifiers": names[:6],
        "sensitive": {name: {"t": 0.9, "l": 2, "accept": "a test"} for name in names[6:10]},
        "insensitive": {name: {"accept": "a test"} for name in names[10:]},
        "k": 20,
        "seed": 1,
    }
    release = sqlanon.anonymize("people", connection=made, **declared)
    pages = {}
    for external in (False, True):
        page = release.report(tmp_path / f"{external}.html", external=external)
        paper = tmp_path / f"{external}.pdf"
        common = [a_browser(), "--headless", "--no-sandbox", "--disable-gpu"]
        common += [f"--user-data-dir={tmp_path / 'profile'}", "--no-pdf-header-footer"]
        printing = [*common, f"--print-to-pdf={paper}", page.as_uri()]
        subprocess.run(printing, capture_output=True, timeout=120, check=True)
        pages[external] = len(re.findall(rb"/Type\s*/Page[^s]", paper.read_bytes()))
    assert 4 < pages[False] <= 8
    assert 2 < pages[True] <= 6


@pytest.mark.slow
@pytest.mark.parametrize("wide", [500, 1200])
def test_nothing_overflows_in_a_browser(connection: Connection, tmp_path: Path, wide: int) -> None:
    """What is wider than the page scrolls in its own place: the page itself does not."""
    browser = a_browser()
    _, text, _ = pages(connection, tmp_path)
    page = re.sub(r"<meta http-equiv=[^>]*>", "", text).replace(
        "</body>",
        "<script>const page = document.documentElement; page.dataset.over = "
        "String(page.scrollWidth - page.clientWidth)</script></body>",
    )
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    common = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    common += [f"--user-data-dir={tmp_path / 'profile'}", f"--window-size={wide},2000"]
    address = (tmp_path / "page.html").as_uri()
    done = subprocess.run(
        [*common, "--dump-dom", address], capture_output=True, text=True, timeout=120, check=True
    )
    assert 'data-over="0"' in done.stdout
    picture, paper = tmp_path / "page.png", tmp_path / "page.pdf"
    for option in (f"--screenshot={picture}", f"--print-to-pdf={paper}"):
        subprocess.run([*common, option, address], capture_output=True, timeout=120, check=True)
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert len(picture.read_bytes()) > 20_000  # not an empty page
    assert paper.read_bytes()[:5] == b"%PDF-"


@pytest.mark.one_in(3)
@pytest.mark.parametrize("attributes", [1, 2, 3])
def test_the_fragments_of_classes_are_drawn(tmp_path: Path, attributes: int) -> None:
    """Of one attribute as bars, of two as boxes, which part all records; of three they are told."""
    names = [f"s{place}" for place in range(attributes)]
    with duckdb.connect() as connection:
        values = ", ".join(f"i * i * {place + 1} % 7 as s{place}" for place in range(attributes))
        select = f"select i % 9 as age, {values} from range(60) as numbers (i)"
        connection.execute(f"create table people as {select}")
        asked = {"distance": "ordered", "t": "1/5"}
        sqlanon.anonymize(
            "people",
            connection=connection,
            release="public",
            quasi_identifiers=["age"],
            sensitive=dict.fromkeys(names, asked),
            k=3,
            method="fragmentation",
            seed=1,
        ).close()
        section = fragments_section(recorded("public", DuckDBEngine(connection=connection)))
    assert section is not None
    assert re.search(r"Fragments: \d+, with bounds [\d.e-]+ of s0", section.words[-1])
    assert len(section.charts) == (attributes < 3)
    for chart in section.charts:
        assert sum(int(row[-1]) for row in chart.numbers.rows) == 60
        chart.save(tmp_path / "fragments.svg")
        drawn = (tmp_path / "fragments.svg").read_text(encoding="utf-8")
        assert drawn.count('class="bar') == len(chart.numbers.rows)
