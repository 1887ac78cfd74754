"""Seeded tables of persons, of any size and shape, made by SQL."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

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
    """

    rows: int
    zips: int = 8000
    values: int = 15
    skew: float = 2.0
    nulls: int = 0


def make(shape: Shape, database: Path) -> None:
    """Write the table ``persons`` into a new database file."""
    zip_code = f"cast(10000 + hash(i * 8 + 3) % {shape.zips} as integer)"
    if shape.nulls:
        zip_code = f"case when hash(i * 8 + 6) % {shape.nulls} > 0 then {zip_code} end"
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
                    {shape.values} * power((hash(i * 8 + 5) % 1000000) / 1e6, {shape.skew})
                ) as varchar) as disease
            from range({shape.rows}) as t(i)
            """
        )
