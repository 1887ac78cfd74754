"""`python -m benchmarks.background`: alike background knowledge on Adult, by several methods.

As Amiri et al. (2023), §5: quasi-identifiers age, sex and education, the salary class sensitive,
t = 0.5. All are given one background, estimated by all three with smoothing 1. Beside the method
`uhra`, UHRA is written here in memory, with single moves as in the paper. Of the algorithms it is
compared with there, BKA-JS grows classes along a curve through all records. Instead of k-primacy
there are two searches in the same clusters: groups of k neighbours, which join until they meet the
other models, and Mondrian's cuts; these also with β-likeness in the place of the background, which
is the model that k-primacy was first made for. Of all the same is measured, from who is in which
class.
The data is found under SQLANON_DATA. Needs numpy.
"""

from __future__ import annotations

import csv
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

import sqlanon
from benchmarks.adult import quasi_identifiers

HIDDEN, SENSITIVE = ("age", "sex", "education"), "salary-class"
T, SMOOTHING = 0.5, 1
ASKED = [(5, 0.2), (5, 0.3), (5, 0.4), (5, 0.6), (5, 0.8)]
ASKED += [(k, 0.8) for k in (3, 10, 15, 20)]
MOST_PASSES = 20
METHODS: dict[str, dict[str, Any]] = {
    "`uhra`": {"name": "uhra"},
    "`uhra`, curve, not refined": {"name": "uhra", "order": "curve", "rounds": 0},
    "BKA-JS": {"name": "uhra", "scope": "table", "order": "curve", "rounds": 0},
    "`microaggregation`, `bk` (k-primacy-like)": {"name": "microaggregation"},
    "`mondrian`, `bk`": {"name": "mondrian"},
    "`split_or_deal`, `bk`": {"name": "split_or_deal"},
}
BETA, BETA_LIKE = 2, "`mondrian`, β-likeness, no background"
Classes = list[list[int]]


class Adult:
    """The records, as both are given them and measured by."""

    def __init__(self, every: int) -> None:
        folder = Path(os.environ["SQLANON_DATA"])
        with (folder / "csv" / "arx_adult.csv").open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file, delimiter=";"))[::every]
        self.tuples = [tuple(row[text] for text in HIDDEN) for row in rows]
        self.values = [row[SENSITIVE] for row in rows]
        self.mine = [value == self.values[0] for value in self.values]  # of the two values
        self.share = sum(self.mine) / len(rows)
        name = folder / "hierarchies" / "arx_adult_hierarchy_education.csv"
        with name.open(encoding="utf-8") as file:
            self.paths = {path[0]: path for path in csv.reader(file, delimiter=";")}
        leaves = sorted(self.paths, key=lambda leaf: self.paths[leaf][::-1])
        self.code = {leaf: index for index, leaf in enumerate(leaves)}
        ages = [int(age) for age, _, _ in self.tuples]
        self.span = max(ages) - min(ages)
        self.points = np.array(
            [
                (int(age) / self.span, sex == "Male", self.code[education] / (len(leaves) - 1))
                for age, sex, education in self.tuples
            ],
            dtype=float,
        )

    def box(self, members: Sequence[int]) -> tuple[int, int, set[str], str, set[str]]:
        """Ages from and to, sexes, education's lowest common group and its leaves."""
        tuples = {self.tuples[number] for number in members}
        ages = [int(age) for age, _, _ in tuples]
        paths = [self.paths[education] for _, _, education in tuples]
        level = next(at for at in range(len(paths[0])) if len({path[at] for path in paths}) == 1)
        group = paths[0][level]
        leaves = {leaf for leaf, path in self.paths.items() if path[level] == group}
        return min(ages), max(ages), {sex for _, sex, _ in tuples}, group, leaves

    def figures(self, classes: Classes) -> dict[str, float]:
        """GCP, RL and class sizes; a record that is left out is lost, and linked to nobody."""
        held = [(self.box(entry), len(entry)) for entry in classes]
        boxes: dict[Any, tuple[Any, int]] = {}
        for box, size in held:
            key = (box[0], box[1], frozenset(box[2]), box[3])
            boxes[key] = (box, size + boxes.get(key, (box, 0))[1])
        lost, linked = float(len(self.tuples) - sum(map(len, classes))), 0.0
        for (low, high, sexes, _, leaves), size in boxes.values():
            cell = (high - low) / self.span + (len(sexes) > 1)
            lost += size * (cell + (len(leaves) - 1) / (len(self.paths) - 1)) / 3
        published = Counter(self.tuples[member] for entry in classes for member in entry)
        for (age, sex, education), records in published.items():
            found = sum(
                size
                for (low, high, sexes, _, leaves), size in boxes.values()
                if low <= int(age) <= high and sex in sexes and education in leaves
            )
            linked += records / found
        sizes = [size for _, size in boxes.values()]
        return {
            "gcp": lost / len(self.tuples),
            "rl": linked / len(self.tuples),
            "least": min(sizes),
            "mean": sum(sizes) / len(sizes),
            "left_out": len(self.tuples) - sum(map(len, classes)),
        }


def made(adult: Adult, k: int, method: dict[str, Any], asked: dict[str, Any]) -> Classes:
    """The classes of a method that is asked for k, t and more of the sensitive attribute."""
    import duckdb

    connection = duckdb.connect()
    connection.execute(
        "create table adult (id integer, age integer, sex varchar, education varchar, "
        f'"{SENSITIVE}" varchar)'
    )
    connection.executemany(
        "insert into adult values (?, ?, ?, ?, ?)",
        [
            (index, int(entry[0]), *entry[1:], value)
            for index, (entry, value) in enumerate(zip(adult.tuples, adult.values, strict=True))
        ],
    )
    beside: dict[str, Any] = {"suppression": {"records": 0.5}} if "bk" in asked else {}
    release = sqlanon.anonymize(
        "adult",
        connection=connection,
        release="out",
        quasi_identifiers=quasi_identifiers(HIDDEN),
        sensitive={SENSITIVE: {"t": T, **asked}},
        insensitive={"id": {"accept": "measured here, published nowhere"}},
        privacy={"k": k},
        method=method,
        **beside,
        seed=1,
    )
    released = connection.execute(f'select id, * exclude (id, "{SENSITIVE}") from out').fetchall()
    classes = defaultdict(list)
    for place, *cells in released:
        classes[tuple(cells)].append(place)
    release.close()
    connection.close()
    return list(classes.values())


def known(j: float) -> dict[str, Any]:
    """What a reader knows, and how alike those of a class must be in it."""
    return {"bk": j, "background": {"estimate": {"by": list(HIDDEN), "smoothing": SMOOTHING}}}


def uhra(adult: Adult, k: int, j: float) -> Classes:
    """The classes of UHRA, algorithms 1 and 2."""
    found: Classes = []
    for members in clusters(adult, j):
        if len(members) >= k:
            found += refined(adult, grown(adult, members, k), k)
    return found


def clusters(adult: Adult, j: float) -> list[list[int]]:
    """The records by complete linkage of what is known of them: of two values, one share."""
    of: dict[Any, list[int]] = defaultdict(list)
    for index, entry in enumerate(adult.tuples):
        of[entry].append(index)
    shares: dict[float, list[int]] = defaultdict(list)
    for members in of.values():
        times = sum(adult.mine[number] for number in members)
        shares[(times + SMOOTHING * adult.share) / (len(members) + SMOOTHING)] += members
    p = np.array(sorted(shares))
    groups = [shares[one] for one in p]
    mean = (p[:, None] + p[None, :]) / 2
    apart = entropy(mean) - (entropy(p)[:, None] + entropy(p)[None, :]) / 2
    np.fill_diagonal(apart, np.inf)
    while True:
        near, far = sorted(int(at) for at in np.unravel_index(np.argmin(apart), apart.shape))
        if not apart[near, far] <= j:
            return [members for members in groups if members]
        joined = np.maximum(apart[near], apart[far])
        apart[near], apart[:, near] = joined, joined
        apart[far], apart[:, far], apart[near, near] = np.inf, np.inf, np.inf
        groups[near], groups[far] = groups[near] + groups[far], []


def entropy(p: Any) -> Any:
    """In bits, of a share and the rest."""
    return -(p * np.log2(p) + (1 - p) * np.log2(1 - p))


def close(adult: Adult, times: int, size: int) -> bool:
    """Whether a class with so many of the first record's value is t-close."""
    return size > 0 and abs(times / size - adult.share) <= T + 1e-12


def grown(adult: Adult, members: list[int], k: int) -> Classes:
    """Nearest point next, growing to k and t; what is left to the first class that stays close."""
    of: dict[Any, list[int]] = defaultdict(list)
    for number in members:
        of[adult.tuples[number]].append(number)
    places = sorted(of)
    points = np.array([adult.points[of[one][0]] for one in places])
    order, free, now = [], np.ones(len(places), bool), 0
    for _ in places:
        order.append(now)
        free[now] = False
        apart = ((points - points[now]) ** 2).sum(axis=1)
        apart[~free] = np.inf
        now = int(np.argmin(apart))
    classes: Classes = []
    group: list[int] = []
    for number in (member for place in order for member in of[places[place]]):
        group.append(number)
        if len(group) >= k and close(adult, sum(adult.mine[m] for m in group), len(group)):
            classes.append(group)
            group = []
    counts = [sum(adult.mine[m] for m in entry) for entry in classes]
    for number in group:
        mine = adult.mine[number]
        for index, members_of in enumerate(classes):
            if close(adult, counts[index] + mine, len(members_of) + 1):
                members_of.append(number)
                counts[index] += mine
                break
    return classes


def refined(adult: Adult, classes: Classes, k: int) -> Classes:
    """Records move to a strictly closer class, at once, where k and t hold on both sides."""
    if len(classes) < 2:
        return classes
    sums = np.array([adult.points[entry].sum(axis=0) for entry in classes])
    sizes = np.array([len(entry) for entry in classes])
    counts = [sum(adult.mine[m] for m in entry) for entry in classes]
    of = {member: index for index, entry in enumerate(classes) for member in entry}
    for _ in range(MOST_PASSES):
        moves = 0
        for member, here in list(of.items()):
            mine = adult.mine[member]
            if sizes[here] <= k or not close(adult, counts[here] - mine, sizes[here] - 1):
                continue
            point = adult.points[member]
            apart = ((sums / sizes[:, None] - point) ** 2).sum(axis=1)
            nearer = np.flatnonzero(apart < apart[here] - 1e-12)
            for there in nearer[np.argsort(apart[nearer], kind="stable")]:
                if close(adult, counts[there] + mine, sizes[there] + 1):
                    for place, sign in ((here, -1), (int(there), 1)):
                        sums[place] += sign * point
                        sizes[place] += sign
                        counts[place] += sign * mine
                    of[member] = int(there)
                    moves += 1
                    break
        if not moves:
            break
    found: dict[int, list[int]] = defaultdict(list)
    for member, place in of.items():
        found[place].append(member)
    return list(found.values())


def rows(adult: Adult) -> Iterator[str]:
    """The rows of the table, as they are found."""
    for k, j in ASKED:
        ways = {"UHRA, in memory": partial(uhra, adult, k, j)}
        ways |= {name: partial(made, adult, k, value, known(j)) for name, value in METHODS.items()}
        ways[BETA_LIKE] = partial(made, adult, k, {"name": "mondrian"}, {"beta": BETA})
        for name, classes in ways.items():
            one = adult.figures(classes())
            yield (
                f"| {k} | {j} | {name} | {one['gcp']:.3f} | {one['rl']:.4f} "
                f"| {one['least']:.0f} / {one['mean']:.1f} | {one['left_out']:.0f} |"
            )


@click.command()
@click.option("--every", default=1, help="Take one record in so many.")
def main(every: int) -> None:
    """Print the table."""
    click.echo("| k | J | | GCP | RL | class size: least / mean | left out |")
    click.echo("|---:|---:|---|---:|---:|---:|---:|")
    for row in rows(Adult(every)):
        click.echo(row)


if __name__ == "__main__":
    main()
