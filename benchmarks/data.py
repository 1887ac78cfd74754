"""Seeded tables of persons, of any size and shape, made by SQL."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb


@dataclass(frozen=True)
class Shape:
    """What a table is like.

    Attributes:
        rows: how many records.
        zips: how many postal codes.
        values: how many sensitive values; the first is the most frequent.
        skew: the higher, the more records have the first values (1: all alike).
        nulls: one record in so many has no postal code; none at 0.
        correlation: the percentage of records whose sensitive value follows from their age.
    """

    rows: int
    zips: int = 8000
    values: int = 15
    skew: float = 2.0
    nulls: int = 0
    correlation: int = 0


def roles(k: int, t: float | None, distance: str = "equal") -> dict[str, Any]:
    """What the columns of ``persons`` are."""
    asked: dict[str, Any] = {} if t is None else {"t": t}
    if distance == "ordered":
        asked["order"] = "frequency"
    return {
        "quasi_identifiers": {
            "age": {},
            "sex": {"hierarchy": {"tree": {"*": ["female", "male"]}}},
            "zip": {},
            "education": {},
        },
        "sensitive": {"disease": {"distance": distance, **asked}},
        "k": k,
    }


def adult_roles(k: int, t: float | None, distance: str) -> dict[str, Any]:
    """What the columns of ``persons`` are, if they are like Adult's: the age may be sensitive."""
    hierarchies = Path(os.environ["SQLANON_DATA"]) / "hierarchies"
    names = ("sex", "education", "race", "native-country")
    ordered = distance == "ordered"
    asked = {"distance": distance} | ({} if t is None else {"t": t})
    return {
        "quasi_identifiers": {
            **({} if ordered else {"age": {}}),
            **{
                name: {"hierarchy": str(hierarchies / f"arx_adult_hierarchy_{name}.csv")}
                for name in names
            },
        },
        "sensitive": {"age" if ordered else "occupation": asked},
        "k": k,
    }


def make_adult(rows: int, database: Path) -> None:
    """Write the table ``persons``: Adult's records again and again, with seeded jitter.

    Ages move by up to three years; one in ten of the other values comes from another record.
    """
    source = Path(os.environ["SQLANON_DATA"]) / "csv" / "arx_adult.csv"
    moved = ("sex", "education", "race", "native-country", "occupation")
    columns = ", ".join(
        f'case when hash(i * 8 + {number}) % 10 = 0 then other."{name}" else own."{name}" end '
        f'as "{name}"'
        for number, name in enumerate(moved, 2)
    )
    with duckdb.connect(str(database)) as connection:
        connection.execute(
            f"""
            create table adult as
            select *, row_number() over () - 1 as place
            from read_csv('{source}', header = true, delim = ';')
            """
        )
        count = connection.execute("select count(*) from adult").fetchall()[0][0]
        connection.execute(
            f"""
            create table persons as
            select
                i as id,
                greatest(17, least(90, own.age + cast(hash(i * 8 + 1) % 7 as integer) - 3)) as age,
                {columns}
            from range({rows}) as t(i)
            inner join adult as own on own.place = i % {count}
            inner join adult as other on other.place = cast(hash(i * 8) % {count} as bigint)
            """
        )
        connection.execute("drop table adult")


def make(shape: Shape, database: Path) -> None:
    """Write the table ``persons`` into a new database file."""
    zip_code = f"cast(10000 + hash(i * 8 + 3) % {shape.zips} as integer)"
    if shape.nulls:
        zip_code = f"case when hash(i * 8 + 6) % {shape.nulls} > 0 then {zip_code} end"
    drawn = "(hash(i * 8 + 5) % 1000000) / 1e6"
    if shape.correlation:
        follows = f"hash(i * 8 + 7) % 100 < {shape.correlation}"
        drawn = f"case when {follows} then (hash(i * 8 + 1) % 1000000) / 1e6 else {drawn} end"
    with duckdb.connect(str(database)) as connection:
        connection.execute(
            f"""
            create table persons as
            select
                i as id,
                cast(17 + floor(73 * power((hash(i * 8 + 1) % 1000000) / 1e6, 1.5)) as integer)
                    as age,
                case when hash(i * 8 + 2) % 2 = 0 then 'female' else 'male' end as sex,
                {zip_code} as zip,
                cast(hash(i * 8 + 4) % 16 as integer) as education,
                'value ' || cast(floor(
                    {shape.values} * power({drawn}, {shape.skew})
                ) as varchar) as disease
            from range({shape.rows}) as t(i)
            """
        )
