"""`python -m benchmarks.picture`: six records of the example before and after, as the README shows.

It makes the example's release, takes six persons whom the raw columns single out, and draws them
next to what is published of them, with both risks: docs/figures/before_after.svg. The colors follow
the reader's light or dark mode.
"""

from __future__ import annotations

import contextlib
import tempfile
from dataclasses import dataclass
from html import escape
from pathlib import Path

import click
import duckdb

import sqlanon
from sqlanon.cli.commands.demo import unpack

PICTURE = Path(__file__).parents[1] / "docs" / "figures" / "before_after.svg"
COLUMNS = ("age", "sex", "race", "education_years", "site")
HEADS = {"education_years": "years of school"}
SHOWN = 6
# A row for every raw record that nobody else is like and whose released row is known: a single one
# holds its values with such a health, spending and plan. Of each site the first adult whose health
# is not the commonest, so that the six differ.
PAIRS = """
with raw as (
    select *, count(*) over (partition by age, sex, race, education_years, site) as alike
    from 'patients.csv'
),

school as (
    select
        cast(column0 as bigint) as years,
        unnest([column0, column1, column2, column3]) as cell
    from read_csv('hierarchies/education.csv', header = false, delim = ';', all_varchar = true)
),

town as (
    select column0 as site, unnest([column0, column1, column2]) as cell
    from read_csv('hierarchies/site.csv', header = false, delim = ';', all_varchar = true)
),

bounds as (
    select
        *,
        cast(regexp_extract(age, '(\\d+)', 1) as bigint) as least,
        cast(regexp_extract(age, '(\\d+)\\]?$', 1) as bigint) as greatest,
        count(*) over (partition by age, sex, race, education_years, site) as alike
    from patients_public
    where age <> '*'
),

fitting as (
    select
        raw.patient_id,
        any_value(struct_pack(
            age := cast(raw.age as varchar), sex := raw.sex, race := raw.race,
            education_years := cast(raw.education_years as varchar), site := raw.site,
            health := raw.health
        )) as before,
        any_value(struct_pack(
            age := bounds.age, sex := bounds.sex, race := bounds.race,
            education_years := bounds.education_years, site := bounds.site,
            health := bounds.health
        )) as after,
        any_value(bounds.alike) as alike,
        count(*) as rows_that_fit
    from raw
    inner join bounds
        on raw.age between bounds.least and bounds.greatest
        and bounds.sex in (raw.sex, '*')
        and bounds.race in (raw.race, '*')
        and bounds.health = raw.health
        and bounds.medical_spending = raw.medical_spending
        and bounds.plan = raw.plan
    inner join school
        on raw.education_years = school.years and bounds.education_years = school.cell
    inner join town on raw.site = town.site and bounds.site = town.cell
    where raw.alike = 1 and raw.race is not null
    group by raw.patient_id
)

select before, after, alike
from fitting
where rows_that_fit = 1 and before.age::int >= 18 and before.health <> 'excellent'
qualify row_number() over (partition by before.site order by patient_id) = 1
order by before.site, patient_id
"""


@dataclass(frozen=True)
class Pair:
    """A record as it was and as it is published, and how many records its class has."""

    before: dict[str, str]
    after: dict[str, str]
    alike: int


@dataclass(frozen=True)
class Risk:
    """What a reader finds in a table: the persons who are alone, and the greatest risk of one."""

    alone: int
    records: int
    smallest: int


def found() -> tuple[list[Pair], Risk, Risk]:
    """Make the example's release; the pairs to draw, and the risk before and after."""
    with tempfile.TemporaryDirectory() as made:
        folder = unpack(Path(made)).parent
        with contextlib.chdir(folder):
            sqlanon.anonymize(
                "release.yaml", database="patients_public.duckdb", progress=False
            ).engine.close()
            with duckdb.connect("patients_public.duckdb") as connection:
                lines = connection.execute(PAIRS).fetchall()
            before = sqlanon.risk("patients.csv", quasi_identifiers=COLUMNS, progress=False)
            after = sqlanon.risk(
                "patients_public",
                quasi_identifiers=COLUMNS,
                database="patients_public.duckdb",
                progress=False,
            )
    pairs = [Pair(*line) for line in lines][:SHOWN]
    return pairs, _risk(before), _risk(after)


def _risk(risks: sqlanon.Risks) -> Risk:
    def value(figure: str) -> float:
        found = risks.value(figure)
        assert found is not None
        return found

    smallest = round(1 / value("prosecutor_risk"))
    return Risk(int(value("unique_records")), int(value("records")), smallest)


STYLE = """
    text { font: 13px system-ui, sans-serif; fill: #1f2328; }
    .head { font-weight: 600; }
    .title { font-size: 15px; font-weight: 600; }
    .soft { fill: #59636e; }
    .bad { fill: #b42318; font-weight: 600; }
    .good { fill: #1a7f37; font-weight: 600; }
    .card { fill: #ffffff; stroke: #d1d9e0; }
    .line { stroke: #d1d9e0; }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc; }
      .soft { fill: #9198a1; }
      .bad { fill: #ff7b72; }
      .good { fill: #56d364; }
      .card { fill: #151b23; stroke: #3d444d; }
      .line { stroke: #3d444d; }
    }
"""
EDGE, ROW, TOP = 16, 26, 64
WIDTHS = {
    "age": 70,
    "sex": 66,
    "race": 84,
    "education_years": 142,
    "site": 144,
    "health": 76,
    "alike": 100,
}
WIDE = sum(WIDTHS.values()) + 2 * EDGE


def svg(pairs: list[Pair], before: Risk, after: Risk) -> str:
    """The picture: a table above the other, each with its risk below."""
    high = TOP + ROW * (len(pairs) + 1) + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {2 * high + 12}" '
        f'width="{WIDE}" height="{2 * high + 12}" role="img" aria-labelledby="title">',
        f'  <title id="title">Six persons before and after: {_before(before)} {_after(after)}'
        "</title>",
        f"  <style>{STYLE}  </style>",
        *_table(0, high, "The table as it is", [pair.before for pair in pairs], [1] * len(pairs)),
        f'  <text class="bad" x="{EDGE}" y="{high - 18}">{_before(before)}</text>',
        *_table(
            high + 12,
            high,
            "The same six persons in the release",
            [pair.after for pair in pairs],
            [pair.alike for pair in pairs],
        ),
        f'  <text class="good" x="{EDGE}" y="{2 * high + 12 - 18}">{_after(after)}</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _before(risk: Risk) -> str:
    return f"{risk.alone:,} of {risk.records:,} persons are alone with their five values."


def _after(risk: Risk) -> str:
    return (
        f"{'Nobody is' if not risk.alone else f'{risk.alone:,} are'} alone: every person shares "
        f"the five cells with at least {risk.smallest - 1} others."
    )


def _table(
    top: int, high: int, title: str, rows: list[dict[str, str]], alike: list[int]
) -> list[str]:
    heads = {name: HEADS.get(name, name) for name in WIDTHS} | {"alike": "persons alike"}
    parts = [
        f'  <rect class="card" x="0.5" y="{top + 0.5}" width="{WIDE - 1}" height="{high - 1}" '
        'rx="8"/>',
        f'  <text class="title" x="{EDGE}" y="{top + 28}">{title}</text>',
        *_line(top + TOP - 4, heads, "head"),
        f'  <path class="line" d="M {EDGE} {top + TOP + 4} H {WIDE - EDGE}"/>',
    ]
    for number, (row, count) in enumerate(zip(rows, alike, strict=True), 1):
        cells = {**row, "alike": str(count)}
        parts += _line(top + TOP + ROW * number - 4, cells, "bad" if count == 1 else "good")
    return parts


def _line(y: int, cells: dict[str, str], last: str) -> list[str]:
    x, parts = EDGE, []
    for name, wide in WIDTHS.items():
        kind = last if name == "alike" or last == "head" else "soft" if cells[name] == "*" else ""
        look = f' class="{kind}"' if kind else ""
        parts.append(f'  <text{look} x="{x}" y="{y}">{escape(cells[name])}</text>')
        x += wide
    return parts


@click.command()
def main() -> None:
    """Draw docs/figures/before_after.svg anew."""
    PICTURE.write_text(svg(*found()), encoding="utf-8")
    click.echo(f"Wrote {PICTURE.name}.")


if __name__ == "__main__":
    main()
