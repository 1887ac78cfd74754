"""``python -m tests.fuzz``: random releases until the time is up, each judged by the oracle."""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

import click
from hypothesis import HealthCheck, Phase, given, seed, settings

sys.path.insert(0, str(Path(__file__).parent.parent))

from fuzz.attempt import attempt
from fuzz.releases import Case, cases

AT_ONCE = 25


@click.command()
@click.option("--seconds", default=60, show_default=True, help="How long to go on.")
@click.option("--releases", type=int, help="How many releases at most.")
@click.option("--seed", "first", default=0, show_default=True, help="The first batch's seed.")
@click.option("--records", default=24, show_default=True, help="The most records of a table.")
def main(seconds: int, releases: int | None, first: int, records: int) -> None:
    """Make random releases and judge them; a fault ends it with the smallest case that has it."""
    outcomes: Counter[str] = Counter()
    ends, batch = time.monotonic() + seconds, first

    @settings(
        max_examples=AT_ONCE,
        phases=(Phase.generate, Phase.shrink),
        database=None,
        deadline=None,
        print_blob=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(most=records))
    def one(case: Case) -> None:
        outcomes[attempt(case)] += 1
        outcomes[str(case.method["name"])] += 1

    while time.monotonic() < ends and (releases is None or _made(outcomes) < releases):
        click.echo(f"batch {batch}: {dict(outcomes)}", err=True)
        seed(batch)(one)()
        batch += 1
    click.echo(f"{_made(outcomes)} specs tried, no fault: {dict(outcomes)}")


def _made(outcomes: Counter[str]) -> int:
    return outcomes["published"] + outcomes["refused"]


if __name__ == "__main__":
    main()
