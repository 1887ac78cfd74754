"""`python -m benchmarks.compare OLD NEW -- --rows 1e6`: two commits on the same tables."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import click

ROOT = Path(__file__).parents[1]


@contextmanager
def checkout(revision: str) -> Iterator[Path]:
    """A folder with the project as it was at a commit."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "project"
        _git("worktree", "add", "--quiet", "--detach", str(place), revision)
        try:
            yield place
        finally:
            _git("worktree", "remove", "--force", str(place))


def _git(*arguments: str) -> None:
    subprocess.run(["git", "-C", str(ROOT), *arguments], check=True)


def _ratios(place: Path, arguments: tuple[str, ...]) -> list[tuple[str, float, float]]:
    """Of each case, its name and what release and check took over the floor."""
    file = place / "figures.json"
    command = [sys.executable, "-m", "benchmarks", "--rounds", "1", "--json", str(file), *arguments]
    subprocess.run(command, cwd=place, check=True, stdout=subprocess.DEVNULL)
    found = []
    for one in json.loads(file.read_text(encoding="utf-8")):
        case = one.get("case", one)
        floor, release, check = (one[what][0]["seconds"] for what in ("floor", "release", "check"))
        name = f"{case['shape']['rows']:,} {case['method']}"
        found.append((name, release / floor, check / floor))
    return found


@click.command()
@click.argument("old")
@click.argument("new")
@click.argument("arguments", nargs=-1)
@click.option("--rounds", default=3, show_default=True)
def main(old: str, new: str, arguments: tuple[str, ...], rounds: int) -> None:
    """Run the benchmarks of two commits in turns, and show their ratios to the floor.

    What follows `--` goes to `python -m benchmarks`.
    """
    found: dict[str, dict[str, list[tuple[float, float]]]] = {}
    with checkout(old) as before, checkout(new) as after:
        for _ in range(rounds):
            for revision, place in ((old, before), (new, after)):
                for name, release, check in _ratios(place, arguments):
                    found.setdefault(name, {}).setdefault(revision, []).append((release, check))
    for name, revisions in found.items():
        click.echo(name)
        for revision, ratios in revisions.items():
            release, check = (median(one) for one in zip(*ratios, strict=True))
            click.echo(f"  {revision:12}  release {release:6.2f}  check {check:6.2f}")


if __name__ == "__main__":
    main()
