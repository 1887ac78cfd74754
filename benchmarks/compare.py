"""`python -m benchmarks.compare OLD NEW`: two commits on the same tables; a slower one fails."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import click

ROOT = Path(__file__).parents[1]
# By case and by release or check: what each round took, as a multiple of the floor.
Rounds = dict[tuple[str, str], list[float]]
# The rows of docs/performance.md that a release of sqlanon must not slow down, at a size that a
# maintainer waits for.
WATCHED: list[tuple[str, ...]] = [
    ("--rows", "1e6", "--method", "stack_and_deal,curve,stripes"),
    ("--rows", "1e6", "--method", "stack_and_deal", "--publish", "anatomy"),
    ("--rows", "1e5", "--method", "split_or_deal"),
    ("--rows", "1e5", "--method", "split_or_deal", "--t", "0.2", "--distance", "ordered"),
]


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


def _ratios(place: Path, arguments: tuple[str, ...]) -> dict[tuple[str, str], float]:
    """What the release and the check of each case took, as multiples of the floor."""
    file = place / "figures.json"
    command = [sys.executable, "-m", "benchmarks", "--rounds", "1", "--json", str(file), *arguments]
    subprocess.run(command, cwd=place, check=True, stdout=subprocess.DEVNULL)
    found = {}
    for load in json.loads(file.read_text(encoding="utf-8")):
        case = load.get("case", load)
        name = f"{case['shape']['rows']:,} {case['method']}"
        if case.get("t") is not None:
            name += f", t {case['t']:g} {case['distance']}"
        if case.get("publish") is not None:
            name += f", {case['publish']}"
        for what in ("release", "check"):
            if what in load:  # exact rows have no check
                found[name, what] = load[what][0]["seconds"] / load["floor"][0]["seconds"]
    return found


@dataclass(frozen=True)
class Change:
    """What a case cost before and after, as multiples of the floor of the same round.

    Attributes:
        case: its name.
        what: `release` or `check`.
        old: the median of the older commit.
        new: the median of the newer one.
    """

    case: str
    what: str
    old: float
    new: float

    @property
    def growth(self) -> float:
        """By which share it costs more; below 0 where it costs less."""
        return self.new / self.old - 1


def changes(old: Rounds, new: Rounds) -> list[Change]:
    """Every figure that both commits have.

    Args:
        old: what the older commit took.
        new: what the newer one took.
    """
    both = [one for one in old if one in new]
    return [Change(*one, median(old[one]), median(new[one])) for one in both]


@click.command()
@click.argument("old")
@click.argument("new", default="HEAD")
@click.argument("arguments", nargs=-1)
@click.option("--rounds", default=3, show_default=True)
@click.option(
    "--limit",
    default=0.1,
    show_default=True,
    help="Fail where a figure grows by more than this share.",
)
def main(old: str, new: str, arguments: tuple[str, ...], rounds: int, limit: float) -> None:
    """Run the benchmarks of two commits in turns, and show their ratios to the floor.

    What follows `--` goes to `python -m benchmarks`. Without it, the cases are those that a release
    of sqlanon must not slow down. The exit code is 1 if a figure grew by more than the limit.
    """
    cases = [arguments] if arguments else WATCHED
    taken: tuple[Rounds, Rounds] = ({}, {})
    with checkout(old) as before, checkout(new) as after:
        for case in cases:
            for _ in range(rounds):
                for place, rounds_of in zip((before, after), taken, strict=True):
                    for name, ratio in _ratios(place, case).items():
                        rounds_of.setdefault(name, []).append(ratio)
    found = changes(*taken)
    if not found:
        raise click.ClickException("the two commits have no case in common")
    for one in found:
        said = f"{one.old:8.2f} → {one.new:8.2f}  {one.growth:+7.1%}"
        mark = "  over the limit" if one.growth > limit else ""
        click.echo(f"{one.case:40}  {one.what:8}{said}{mark}")
    if any(one.growth > limit for one in found):
        sys.exit(1)


if __name__ == "__main__":
    main()
