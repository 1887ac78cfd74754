"""Killed at any moment, a run leaves the old release or the new one, whole, and says which.

Eight kills on DuckDB and four on PostgreSQL in the gate, at other moments each time.
"""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest
from servers import place
from started import answering, started, write_files
from support import slow

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
RELATIONS = ["rel", "rel__classes", "rel__metrics", "rel__run"]
Query = Callable[[str], list[tuple[Any, ...]]]


@dataclass(frozen=True)
class Published:
    """What stands in the database.

    Attributes:
        number: the release's.
        k: what it was made with.
        rows: its rows, in an order of their own.
    """

    number: str
    k: int
    rows: list[tuple[Any, ...]]


def published(query: Query, catalog: str) -> Published:
    """The release that stands there, if it is whole; all of its relations bear its mark."""
    relations = sorted(query(catalog))
    facts: dict[str, str] = dict(query("select item, value from rel__run"))
    number = facts["release_id"]
    assert relations == [(name, f"sqlanon release {number}") for name in RELATIONS]
    assert json.loads(facts["relations"]) == ["rel", "rel__classes", "rel__metrics", "rel__run"]
    k = json.loads(facts["spec"])["privacy"]["k"]
    rows = sorted(query("select * from rel"), key=repr)
    classes = query("select count(*), min(records), sum(records) from rel__classes")[0]
    assert len(rows) == int(facts["records_out"]) == classes[2] == 400
    assert classes[1] >= k
    metrics: dict[str, float] = dict(
        query("select metric, value from rel__metrics where metric <> 'distinct_l'")
    )
    assert metrics["records"] == 400
    assert metrics["classes"] == classes[0]
    assert metrics["k_anonymity"] == classes[1]
    return Published(number, k, rows)


def spilled(folder: Path) -> set[Path]:
    """What lies in the folder for what is spilled.

    Python itself writes a file of its own there and removes it at once, to see whether it may;
    a kill at that very moment leaves it: those four letters, or nothing yet.
    """
    return {
        path
        for path in (folder / "tmp").iterdir()
        if path.is_dir() or path.read_bytes() not in (b"", b"blat")
    }


def kill(folder: Path, kills: int, database: str, look: Callable[[], Published]) -> dict[str, int]:
    """Kill runs that replace each other's release, at moments drawn at random.

    Returns:
        How often what happened.
    """

    def run(k: int) -> Any:
        return started(
            folder, "-m", "sqlanon", "run", f"{k}.yaml", "--quiet", "--database", database
        )

    draw, expected, lasting = random.Random(folder.name), {}, []
    for k in (4, 5):
        began = time.monotonic()
        process = run(k)
        assert not process.communicate(timeout=120)[1]
        assert process.returncode == 0
        lasting.append(time.monotonic() - began)
        expected[k] = look().rows
    counts: dict[str, int] = {}
    for turn in range(kills):
        before, lying = look(), spilled(folder)
        k, stop = (5 if before.k == 4 else 4), SIGNALS[turn % 3]
        # Half of them where it matters most: in the second half, around the commit.
        least = 0 if draw.random() < 0.5 else min(lasting) / 2
        delay = draw.uniform(least, max(lasting))
        process = run(k)
        answering(process)
        time.sleep(delay)
        process.send_signal(stop)
        said, message = process.communicate(timeout=120)
        after, code = look(), process.returncode
        new = after.number != before.number
        case = f"{stop.name} after {delay:.3f} s of {lasting}, exit code {code}: {message}"
        assert after.rows == expected[after.k], case
        assert after.k == (k if new else before.k), case
        assert "Traceback" not in message, case
        if stop == signal.SIGKILL:
            assert code in (-signal.SIGKILL, 0), case
            assert new or code != 0, case
        else:
            assert code == (0 if new else 130), case
            assert ("nothing was published" in message) <= (not new), case
            assert ("rel" in said) == new, case
            assert spilled(folder) <= lying, case
        outcome = f"{stop.name}: {'new' if new else 'old'} release, exit code {code}"
        counts[outcome] = counts.get(outcome, 0) + 1
    process = run(9 - look().k)
    assert not process.communicate(timeout=120)[1]
    assert process.returncode == 0
    assert not spilled(folder), "what was spilled stays"
    print(database.split(":")[0], json.dumps(counts, indent=1, sort_keys=True))
    return counts


@pytest.mark.parametrize("kills", slow(8))
def test_a_killed_run_leaves_one_release_whole_on_duckdb(tmp_path: Path, kills: int) -> None:
    write_files(tmp_path)
    file = tmp_path / "rel.duckdb"

    def look() -> Published:
        with duckdb.connect(str(file)) as connection:
            catalog = (
                "select table_name, comment from duckdb_tables() union all "
                "select view_name, comment from duckdb_views() where not internal"
            )
            return published(lambda sql: connection.execute(sql).fetchall(), catalog)

    kill(tmp_path, kills, str(file), look)


@pytest.mark.slow
def test_a_killed_run_leaves_one_release_whole_on_postgres(
    tmp_path: Path, urls: Mapping[str, str]
) -> None:
    write_files(tmp_path)
    with place("postgres_icu", urls) as there:
        connection = there.connection

        def query(sql: str) -> list[tuple[Any, ...]]:
            found: list[tuple[Any, ...]] = connection.execute(sql.encode()).fetchall()
            return found

        def look() -> Published:
            others = (
                "select 1 from pg_stat_activity where backend_type = 'client backend' "
                "and pid <> pg_backend_pid()"
            )
            while query(others):  # the server undoes what a killed client has begun
                time.sleep(0.02)
            return published(
                query,
                "select relname::text, obj_description(oid, 'pg_class') from pg_class where "
                "relkind in ('r', 'v') and relnamespace in (select oid from pg_namespace where "
                "nspname = 'public' or nspname like 'pg_temp%')",
            )

        kill(tmp_path, 4, there.url, look)  # type: ignore[attr-defined]
