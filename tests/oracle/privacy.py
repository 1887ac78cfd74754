"""Privacy models and distances on plain lists, with exact fractions.

Everywhere ``classes`` holds the sensitive values of each equivalence class, one list per class,
and ``reference`` those of the whole source table. ``None`` is NULL: a value of its own.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Generic, Literal, TypeVar

from .hierarchy import Node, Tree, Value, aligned_chain, height, nodes_above, root, with_null

Classes = Sequence[Sequence[Value]]
Number = int | Fraction
Tie = Literal["high", "low"]

_T = TypeVar("_T", int, float)


@dataclass(frozen=True)
class Greatest:
    """A measure that must stay small: one fraction per class, and the one that decides."""

    per_class: tuple[Fraction, ...]

    @property
    def maximum(self) -> Fraction:
        """The worst class."""
        return max(self.per_class)


@dataclass(frozen=True)
class Least(Generic[_T]):
    """A measure that must stay large: one number per class, and the one that decides."""

    per_class: tuple[_T, ...]

    @property
    def minimum(self) -> _T:
        """The worst class."""
        return min(self.per_class)


def value_counts(values: Sequence[Value]) -> dict[Value, int]:
    """How often each value occurs.

    Raises:
        ValueError: If there is no value: an empty class is no class.
    """
    if not values:
        raise ValueError("an equivalence class (or table) without records")
    return dict(Counter(values))


def distribution(values: Sequence[Value]) -> dict[Value, Fraction]:
    """The share of each value that occurs."""
    return {value: Fraction(r, len(values)) for value, r in value_counts(values).items()}


# --- k, alpha, l ---------------------------------------------------------------------------------


def k_anonymity(classes: Classes) -> Least[int]:
    """The class sizes; k is the smallest. Samarati & Sweeney (1998); Gowda (2023), s. 2.5.1."""
    return Least(tuple(sum(value_counts(values).values()) for values in classes))


def alpha(classes: Classes) -> Greatest:
    """The share of each class's most frequent value. Wong et al. (2006), (alpha, k)-anonymity."""
    return Greatest(tuple(max(distribution(values).values()) for values in classes))


def distinct_l(classes: Classes) -> Least[int]:
    """The number of different values per class, NULL counted as one. Gowda (2023), s. 2.6.1."""
    return Least(tuple(len(value_counts(values)) for values in classes))


def distinct_groups_l(classes: Classes, tree: Tree, level: int) -> Least[int]:
    """The number of different nodes of a level per class; NULL is one by itself.

    Level 0 is the values. Machanavajjhala et al. (2007); Li et al. (2007), s. 3.
    """
    counted = []
    for values in classes:
        chains = [() if value is None else aligned_chain(tree, value)[level:] for value in values]
        counted.append(len(set(chains)))
    return Least(tuple(counted))


def entropy_l(classes: Classes) -> Least[float]:
    """exp(H) per class with natural logarithms, to be shown; `entropy_holds` decides.

    Machanavajjhala et al. (2007), entropy l-diversity; Gowda (2023), section 2.6.1.
    """
    return Least(
        tuple(
            math.exp(-math.fsum(float(p) * math.log(p) for p in distribution(values).values()))
            for values in classes
        )
    )


def entropy_holds(counts: Sequence[int], l: Number) -> bool:  # noqa: E741
    """Whether H >= ln l for a class with these value counts, decided without a logarithm.

    With n the class size, H = ln n - (1/n) sum of r ln r, so H >= ln l if and only if
    l^n times the product of r^r is at most n^n. Exact for every integer or fraction l.
    """
    n = sum(counts)
    own: int = math.prod(r**r for r in counts if r > 0)
    limit: int = n**n
    return Fraction(l) ** n * own <= limit


def entropy_diverse(classes: Classes, l: Number) -> bool:  # noqa: E741
    """Whether every class has entropy l-diversity (see `entropy_holds`)."""
    return all(entropy_holds(list(value_counts(values).values()), l) for values in classes)


def recursive_holds(counts: Sequence[int], c: Number, l: int) -> bool:  # noqa: E741
    """Whether r_1 < c (r_l + r_{l+1} + ... + r_m), with r_1 >= ... >= r_m the positive counts.

    Machanavajjhala et al. (2007), recursive (c, l)-diversity; Gowda (2023), section 2.6.1 prints
    r_1 for r_l. False if there are fewer than l values.
    """
    if l < 1:
        raise ValueError("l is at least 1")
    ordered = sorted((r for r in counts if r > 0), reverse=True)
    if len(ordered) < l:
        return False
    return ordered[0] < c * sum(ordered[l - 1 :])


def recursive_diverse(classes: Classes, c: Number, l: int) -> bool:  # noqa: E741
    """Whether every class has recursive (c, l)-diversity (see `recursive_holds`)."""
    return all(recursive_holds(list(value_counts(values).values()), c, l) for values in classes)


# --- l where a person may have several values ----------------------------------------------------

Holders = Sequence[Sequence[frozenset[Value]]]  # of each class, the values of every person


def holders(persons: Sequence[frozenset[Value]]) -> dict[Value, int]:
    """How many persons of a class have each value, however often."""
    return dict(Counter(value for own in persons for value in own))


def distinct_l_of_persons(classes: Holders) -> tuple[Fraction, ...]:
    """Of how many persons one has the commonest value, per class: at least l.

    No value is had by more than 1/l of the persons, so that it is certain of nobody for l >= 2.
    """
    return tuple(Fraction(len(one), max(holders(one).values())) for one in classes)


def shares_of_persons(persons: Sequence[frozenset[Value]]) -> list[Fraction]:
    """The shares of the values among the persons of a class, the greatest first; none is zero.

    The commonest value has the share of the persons who have it. The others share what is left as
    they share the pairs of a person and a value that are not of the commonest.
    """
    first, *others = sorted(holders(persons).values(), reverse=True)
    own = Fraction(first, len(persons))
    left = [(1 - own) * Fraction(number, sum(others)) for number in others]
    return [own, *(number for number in left if number)]


def counts_of_shares(shares: Sequence[Fraction]) -> list[int]:
    """The same as whole numbers, as `entropy_holds` and `recursive_holds` take them."""
    whole = math.lcm(*(share.denominator for share in shares))
    return [int(share * whole) for share in shares]


# --- likeness and disclosure: every value by itself -----------------------------------------------


def gains(values: Sequence[Value], reference: Sequence[Value]) -> dict[Value, Fraction]:
    """How much likelier each value is in a class, relative to the table: (q - p) / p.

    Cao & Karras (2012), definition 2, for the values that a class has more of than the table.
    """
    table, own = distribution(reference), distribution(values)
    return {v: (own[v] - table[v]) / table[v] for v in own if own[v] > table[v]}


def beta_likeness(classes: Classes, reference: Sequence[Value]) -> Greatest:
    """The greatest gain of a value in each class; 0 if no value gains. Cao & Karras (2012)."""
    zero = Fraction(0)
    return Greatest(tuple(max(gains(one, reference).values(), default=zero) for one in classes))


def enhanced_likeness_holds(
    values: Sequence[Value], reference: Sequence[Value], beta: Number
) -> bool:
    """Whether every gain is at most beta, and at most -ln p. Cao & Karras (2012), definition 3.

    A logarithm of a fraction is no fraction, so sixty digits tell it from one.
    """
    table, digits = distribution(reference), Context(prec=60)

    def logarithm(share: Fraction) -> Decimal:
        p = digits.divide(Decimal(share.numerator), Decimal(share.denominator))
        return -digits.ln(p)

    return all(
        gain <= beta
        and digits.divide(Decimal(gain.numerator), Decimal(gain.denominator)) <= logarithm(table[v])
        for v, gain in gains(values, reference).items()
    )


def greatest_factor(values: Sequence[Value], reference: Sequence[Value]) -> Fraction | None:
    """By what factor a value's share is above or below the table's, the greatest of them.

    None if a value of the table is missing: the factor has no end.
    """
    table, own = distribution(reference), distribution(values)
    if set(table) - set(own):
        return None
    return max(max(own[v] / table[v], table[v] / own[v]) for v in table)


def delta_disclosure_holds(
    values: Sequence[Value], reference: Sequence[Value], delta: Number, natural: bool = False
) -> bool:
    """Whether |log (q / p)| < delta for every value of the table. Brickell & Shmatikov (2008).

    To the base 2 it is decided without a logarithm: x < 2^(a/b) if and only if x^b < 2^a. The
    natural one is a power of e, which is no fraction: sixty digits tell it from one.
    """
    factor, asked = greatest_factor(values, reference), Fraction(delta)
    if factor is None:
        return False
    if not natural:
        most: int = 2**asked.numerator
        return factor**asked.denominator < most
    digits = Context(prec=60)
    exponent = digits.divide(Decimal(asked.numerator), Decimal(asked.denominator))
    own = digits.divide(Decimal(factor.numerator), Decimal(factor.denominator))
    return own < digits.exp(exponent)


def proximity(classes: Sequence[Sequence[int | None]], epsilon: int) -> Greatest:
    """The greatest share of each class within epsilon of a member's number; NULL is near NULL.

    Li, Tao & Xiao (2008), definitions 1 and 2, with absolute neighbourhoods.
    """

    def near(one: int | None, other: int | None) -> bool:
        if one is None or other is None:
            return one is other
        return abs(one - other) <= epsilon

    return Greatest(
        tuple(
            Fraction(max(sum(near(value, v) for value in values) for v in values), len(values))
            for values in classes
        )
    )


Members = Sequence[frozenset[str] | None]


def support(members: frozenset[str], sets: Members) -> int:
    """How many sets have all of these members; a missing set has none."""
    return sum(members <= (one or frozenset()) for one in sets)


def choices(sets: Members, m: int) -> set[frozenset[str]]:
    """All choices of up to m members of one of the sets, the empty choice among them."""
    return {
        frozenset(some)
        for one in sets
        for size in range(m + 1)
        for some in combinations(one or frozenset(), size)
    }


def km_anonymity(classes: Sequence[Members], m: int) -> list[int]:
    """Of each class the least number of records that some m members of a set leave.

    Terrovitis, Mamoulis & Kalnis (2008), definition 1, by all subsets.
    """
    return [min(support(columns, sets) for columns in choices(sets, m)) for sets in classes]


def without_rare(sets: Members, k: int, m: int) -> list[frozenset[str] | None]:
    """The sets without rare members: of each choice that fewer than k have the rarest one goes.

    Size by size; of members that as many sets have, the one that comes first by its bytes goes.
    """
    found = list(sets)
    for size in range(1, m + 1):
        rare = {
            min(some, key=lambda each: (support(frozenset({each}), sets), each.encode()))
            for some in choices(found, size)
            if len(some) == size and support(some, found) < k
        }
        found = [None if one is None else one - rare for one in found]
    return found


# --- distances between distributions -------------------------------------------------------------


def frequency_order(counts: Sequence[int], tie: Tie = "high") -> list[int]:
    """The indices by descending count: the value order of the Stack & Deal papers.

    Args:
        counts: The count of each value; zeros are kept, at the end.
        tie: Which of two equal counts comes first: the ``high`` index (Gowda 2023, section
            3.3.1) or the ``low`` one (the rule of section 5.3.1).
    """
    indices = sorted(range(len(counts)), reverse=(tie == "high"))
    return sorted(indices, key=lambda i: -counts[i])  # a stable sort keeps the order of ties


def equal_distance(p: Mapping[Value, Fraction], q: Mapping[Value, Fraction]) -> Fraction:
    """Half the sum of |p_i - q_i|: every move costs 1. Li et al. (2007), equal distance."""
    total = sum((abs(p.get(v, Fraction(0)) - q.get(v, Fraction(0))) for v in {*p, *q}), Fraction(0))
    return total / 2


def ordered_distance(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    """The earth mover's distance of values in a row, a move of j places costing j/(s - 1).

    1/(s - 1) times the sum over i < s of |sum over j <= i of (p_j - q_j)|, and 0 if s = 1: Gowda
    (2023), section 3.6. Section 2.6.4 and Gowda (2021) print the absolute value inside.
    """
    if len(p) != len(q):
        raise ValueError("two distributions over the same values have the same length")
    s = len(p)
    if s == 1:
        return Fraction(0)
    zero = Fraction(0)
    return sum((abs(sum(p[:i], zero) - sum(q[:i], zero)) for i in range(1, s)), zero) / (s - 1)


def hierarchical_distance(
    p: Mapping[Value, Fraction], q: Mapping[Value, Fraction], tree: Tree
) -> Fraction:
    """The earth mover's distance over a hierarchy, by the recursion of Li et al. (2007).

    Moving between two leaves costs the height of their lowest common ancestor over the height H
    of the tree. With extra(N) the surplus of p over q below a node, an inner node costs
    height(N)/H times the smaller of the surplus and the lack among its children.
    """
    leaves = with_null(tree)
    if not {*p, *q} <= set(leaves):
        raise ValueError("a value is not a leaf of the hierarchy")
    whole_height = height(leaves)

    extra: dict[Node, Fraction] = {}
    children: dict[Node, set[Node]] = {}
    for leaf in leaves:
        way = nodes_above(leaves, leaf)
        for node in way:
            surplus = p.get(leaf, Fraction(0)) - q.get(leaf, Fraction(0))
            extra[node] = extra.get(node, Fraction(0)) + surplus
        for child, parent in pairwise(way):
            children.setdefault(parent, set()).add(child)

    def cost(node: Node) -> Fraction:
        below = children.get(node, set())
        surplus = sum((extra[child] for child in below if extra[child] > 0), Fraction(0))
        lack = sum((-extra[child] for child in below if extra[child] < 0), Fraction(0))
        node_height = whole_height + 1 - len(node)
        own = Fraction(node_height, whole_height) * min(surplus, lack)
        return own + sum((cost(child) for child in below), Fraction(0))

    return cost((root(leaves),))


# --- t-closeness: the distances of the classes to the table --------------------------------------


def emd_equal(classes: Classes, reference: Sequence[Value]) -> Greatest:
    """The equal distance of each class to the table (see `equal_distance`)."""
    table = distribution(reference)
    return Greatest(tuple(equal_distance(table, distribution(values)) for values in classes))


def emd_ordered(classes: Classes, reference: Sequence[Value], order: Sequence[Value]) -> Greatest:
    """The ordered distance of each class to the table (see `ordered_distance`).

    Args:
        classes: The sensitive values of each class.
        reference: The sensitive values of the table.
        order: The values in their order, each once. A value without a record counts in the
            normaliser s - 1 all the same; NULL must be named too if it occurs.
    """
    if len(set(order)) != len(order):
        raise ValueError("the order names a value twice")

    def along(values: Sequence[Value]) -> list[Fraction]:
        shares = distribution(values)
        if not set(shares) <= set(order):
            raise ValueError("a value is missing in the order")
        return [shares.get(value, Fraction(0)) for value in order]

    table = along(reference)
    return Greatest(tuple(ordered_distance(table, along(values)) for values in classes))


def emd_hierarchical(classes: Classes, reference: Sequence[Value], tree: Tree) -> Greatest:
    """The hierarchical distance of each class to the table (see `hierarchical_distance`)."""
    table = distribution(reference)
    return Greatest(
        tuple(hierarchical_distance(table, distribution(values), tree) for values in classes)
    )


# --- guessing within a class ---------------------------------------------------------------------


def right_guesses(classes: Sequence[Sequence[Value]]) -> list[Fraction]:
    """The chance, for each record, that a guess whose it is is right.

    Every person who has a record in its class is guessed with the same chance. Dankar & El Emam
    (2010) take the mean of it, with the release as the whole; El Emam & Dankar (2008) the greatest.

    Args:
        classes: Of each class the person of every record; without persons, the record itself.
    """
    return [
        Fraction(sum(guess == person for guess in set(members)), len(set(members)))
        for members in classes
        for person in members
    ]


# --- record linkage ------------------------------------------------------------------------------


def record_linkage(
    records: Sequence[Sequence[Number]],
    class_of: Sequence[Value],
    closest: Literal["box", "centroid"],
) -> Fraction:
    """The mean probability of linking a record to itself through the closest class.

    Amiri et al. (2023), section 5.2, equations 4 and 5: 1/|E| if the class E closest to the
    record is its own, else 0. Several classes at the same least distance are taken as one. The
    distance is Euclidean, each attribute divided by its range.

    Args:
        records: The original numeric quasi-identifiers of each record.
        class_of: The class of each record.
        closest: Distance to the published ``box`` of a class, or to its ``centroid``.
    """
    dimensions = range(len(records[0]))
    members = {
        label: [r for r, c in zip(records, class_of, strict=True) if c == label]
        for label in class_of
    }
    spans = [max(r[d] for r in records) - min(r[d] for r in records) for d in dimensions]

    def gap(x: Number, values: Sequence[Number]) -> Number:
        if closest == "box":
            return max(min(values) - x, x - max(values), 0)
        return x - Fraction(sum(values), len(values))

    def squared_distance(record: Sequence[Number], label: Value) -> Fraction:
        total = Fraction(0)
        for d in dimensions:
            if spans[d] != 0:
                total += (Fraction(gap(record[d], [m[d] for m in members[label]])) / spans[d]) ** 2
        return total

    linked = Fraction(0)
    for record, own in zip(records, class_of, strict=True):
        distances = {label: squared_distance(record, label) for label in members}
        nearest = [label for label, far in distances.items() if far == min(distances.values())]
        if own in nearest:
            linked += Fraction(1, sum(len(members[label]) for label in nearest))
    return linked / len(records)
