"""`sqlanon demo`: the example that comes with sqlanon."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import sqlanon
from patients import rows

from sqlanon.cli.commands.demo import unpack


@pytest.mark.slow
def test_demo_ends_with_the_release_and_where_to_look_next(tmp_path: Path) -> None:
    """Of its own spec, which searches, the README's examples make the demo's release."""
    spec = unpack(tmp_path / "sqlanon_demo")
    text = spec.read_text(encoding="utf-8")
    dealt = re.sub("^method:.*", "method: stack_and_deal", text, flags=re.MULTILINE)
    assert dealt != text
    spec.write_text(dealt, encoding="utf-8")  # which the demo leaves alone
    done = sqlanon(tmp_path, "demo")
    assert done.returncode == 0, done.stderr
    assert "patients_public, a row of each of some classes" in done.stdout
    assert "shares what is published of the quasi-identifiers with at least" in done.stdout
    assert "Where to look next" in done.stdout
    database = tmp_path / "sqlanon_demo" / "patients_public.duckdb"
    assert rows(database, "select count(*) from patients_public") == [(5638,)]
    for line in done.stdout.splitlines():
        if line.startswith("  sqlanon "):
            again = sqlanon(tmp_path, *line.split()[1:])
            assert again.returncode == 0, (line, again.stderr)
