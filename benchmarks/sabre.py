"""`python -m benchmarks.sabre`: what SABRE loses on Adult beside other methods at the same t.

The tasks are those of `benchmarks.adult`. Stack & Deal knows no t: of the least numbers of records,
from k on, the first is taken whose classes are close enough when measured.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.adult import TASKS, Figure, release

LEVELS = ("0.1", "0.2")
LEAST = 5
SIZES = (*range(LEAST, 16), *range(16, 31, 2), *range(35, 101, 5))
CURVE = {"name": "stack_and_deal", "locality": "curve"}


def measured() -> Iterator[tuple[str, Figure]]:
    """A t, and a release for it."""
    for task in TASKS:
        for t in LEVELS:
            yield t, release(task, {"name": "sabre"}, "SABRE", LEAST, t)
            yield t, _dealt(task, float(t))
            yield t, release(task, {"name": "split_or_deal"}, "Split-or-Deal", LEAST, t)


def _dealt(task: str, t: float) -> Figure:
    """Stack & Deal along the curve into as many classes as are close enough."""
    for size in SIZES:
        found = release(task, CURVE, f"Stack & Deal along a curve, k = {size}", size, "")
        if found.t <= t:
            return found
    raise ValueError(f"no classes of up to {SIZES[-1]} records are within {t}")


def main() -> None:
    """Print a row for each release."""
    print("| task, t | method | published | GCP | t reached |\n|---|---|---|---|---|")
    for t, figure in measured():
        print(
            f"| {figure.task}, {t} | {figure.method} | {figure.classes:,} "
            f"| {figure.gcp:.3f} | {figure.t:.3f} |"
        )


if __name__ == "__main__":
    main()
