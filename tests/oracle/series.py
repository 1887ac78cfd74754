"""What a reader of several releases of the same persons can find out, in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations

Person = str


@dataclass(frozen=True)
class Seen:
    """A release: the class of every person in it, and the values of each."""

    classes: Mapping[Person, Hashable]
    values: Mapping[Person, frozenset[Hashable]]

    def members(self, person: Person) -> set[Person]:
        """Who is in the person's class, the person included."""
        return {text for text, found in self.classes.items() if found == self.classes[person]}

    def shown(self, person: Person) -> set[Hashable]:
        """The sensitive values that the person's class shows."""
        return set(chain.from_iterable(self.values[text] for text in self.members(person)))


def candidates(releases: Sequence[Seen], person: Person) -> set[Person]:
    """Who may be the person, to one who knows that the person is in all of these releases."""
    return set.intersection(*(release.members(person) for release in releases))


def possible(releases: Sequence[Seen], person: Person) -> set[Hashable]:
    """Which sensitive values the person may have, if they persist, to the same reader."""
    return set.intersection(*(release.shown(person) for release in releases))


def companions(releases: Sequence[Seen], person: Person) -> set[Person]:
    """Who is in the same class of every release, and like the person in none of the others."""

    def history(one: Person) -> tuple[Hashable, ...]:
        return tuple(seen.classes.get(one) for seen in releases)

    everybody = set(chain.from_iterable(seen.classes for seen in releases))
    return {text for text in everybody if history(text) == history(person)}


def left(releases: Sequence[Seen], person: Person, persist: bool = True) -> set[Hashable]:
    """The values of a person's companions in the last release; if values persist, those of them
    that every earlier class of the person shows. One alone where all companions have one value,
    for that is certain of each of them."""
    last = releases[-1]
    own = set(chain.from_iterable(last.values[text] for text in companions(releases, person)))
    for earlier in releases[:-1]:
        if persist and person in earlier.classes:
            own &= earlier.shown(person)
    alike = set.intersection(*(set(last.values[text]) for text in companions(releases, person)))
    return set(sorted(own, key=repr)[:1]) if alike else own


def distance(
    releases: Sequence[Seen], person: Person, source: Mapping[Person, Collection[Hashable]]
) -> Fraction:
    """How far the values of a person's companions lie from those of the whole source: the equal
    distance of their pairs of a person and a value."""
    own = Counter(
        chain.from_iterable(releases[-1].values[text] for text in companions(releases, person))
    )
    whole = Counter(chain.from_iterable(map(set, source.values())))
    gaps = (
        abs(Fraction(own[value], own.total()) - Fraction(count, whole.total()))
        for value, count in whole.items()
    )
    return sum(gaps, Fraction(0)) / 2


def departed(earlier: Seen, now: Seen) -> dict[Hashable, set[Person]]:
    """Who of each class of an earlier release is not in the new one."""
    found: dict[Hashable, set[Person]] = {}
    for who, at in earlier.classes.items():
        if who not in now.classes:
            found.setdefault(at, set()).add(who)
    return found


def values_of(some: Collection[Person], seen: Seen) -> set[Hashable]:
    """What these persons have among them."""
    return set(chain.from_iterable(seen.values[text] for text in some))


def some_of(releases: Collection[Seen]) -> Iterator[tuple[Seen, ...]]:
    """Every choice of one or more of them."""
    sizes = range(1, len(releases) + 1)
    return chain.from_iterable(combinations(releases, size) for size in sizes)
