"""The oracle against brute-force definitions and proved properties, on small random tables."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracle import (
    NCP_SUPPRESSED,
    Cell,
    Order,
    Tie,
    Tree,
    Value,
    aligned_chain,
    alpha,
    attribute_values,
    box_mass,
    c_avg,
    cell_order,
    class_count_matrix,
    class_members,
    conforms,
    deal,
    deal_rows,
    discernibility,
    distinct_l,
    emd_equal,
    emd_hierarchical,
    emd_ordered,
    entropy_diverse,
    entropy_holds,
    entropy_l,
    frequency_order,
    from_table,
    from_vector,
    gcp,
    k_anonymity,
    lca,
    lca_node,
    leaves_under,
    marginal,
    mass,
    multiplicity,
    ncp_interval,
    ncp_node,
    ncp_set,
    nodes_above,
    number_of_classes,
    numeric_record_losses,
    record_linkage,
    record_loss,
    recursive_holds,
    snake,
    stack,
    stack_rows,
    with_null,
)

# A tree of height 3 with chains of different length and the same label, "other", in two places.
TREE: dict[Value, tuple[Value, ...]] = {
    "flu": ("viral", "infection", "*"),
    "measles": ("viral", "infection", "*"),
    "cholera": ("other", "infection", "*"),
    "ulcer": ("digestive", "*"),
    "rash": ("other", "*"),
    "unknown": ("*",),
}
LEAVES: list[Value] = [*TREE, None]


@st.composite
def tables(draw: st.DrawFn, values: Sequence[Value]) -> tuple[list[Value], list[Value]]:
    """A small table's sensitive values, and those of one class of it."""
    chosen = draw(st.lists(st.sampled_from(values), min_size=1, max_size=4, unique_by=repr))
    table = draw(st.lists(st.sampled_from(chosen), min_size=1, max_size=6))
    size = draw(st.integers(min_value=1, max_value=len(table)))
    return table, draw(st.permutations(table))[:size]


def matrices(dimensions: int) -> st.SearchStrategy[dict[Cell, int]]:
    """Multiplicity matrices with at least one record; some cells are empty."""
    cells = st.tuples(*[st.integers(min_value=0, max_value=3)] * dimensions)
    counts = st.dictionaries(cells, st.integers(min_value=0, max_value=9), min_size=1, max_size=12)
    return counts.filter(lambda matrix: sum(matrix.values()) > 0)


# A busy machine must not fail a test that is merely brute.
no_deadline = settings(deadline=None)

any_matrix = st.integers(min_value=1, max_value=3).flatmap(matrices)
orders: st.SearchStrategy[Order] = st.sampled_from(["frequency", "value", "snake"])
ties: st.SearchStrategy[Tie] = st.sampled_from(["high", "low"])
count_lists = st.lists(st.integers(min_value=0, max_value=9), min_size=1, max_size=6)
positive_counts = st.lists(st.integers(min_value=1, max_value=9), min_size=1, max_size=6)


def dealt(counts: dict[Cell, int], k: int, order: Order, tie: Tie = "high") -> list[list[Cell]]:
    """The members of the classes of Stack & Deal."""
    stacked = stack(counts, order, tie)
    return class_members(stacked, deal(stacked, k))


# --- distances are what they are defined to be: the least cost of moving mass ---------------------


def least_transport_cost(
    table: Sequence[Value], members: Sequence[Value], ground: Callable[[Value, Value], Fraction]
) -> Fraction:
    """The earth mover's distance by trying every way to move one distribution onto the other.

    Both are cut into units of the same mass, 1/lcm of the two sizes, and each unit of the table
    is sent to every place that is still free.
    """
    units = math.lcm(len(table), len(members))
    sources = [v for v in table for _ in range(units // len(table))]
    places = list(dict.fromkeys(members))
    free = tuple(members.count(v) * (units // len(members)) for v in places)

    @cache
    def best(sent: int, left: tuple[int, ...]) -> Fraction:
        if sent == units:
            return Fraction(0)
        return min(
            ground(sources[sent], places[i])
            + best(sent + 1, (*left[:i], left[i] - 1, *left[i + 1 :]))
            for i in range(len(places))
            if left[i] > 0
        )

    return best(0, free) / units


@no_deadline
@given(tables(LEAVES))
def test_equal_distance_is_the_least_cost_when_every_move_costs_one(
    drawn: tuple[list[Value], list[Value]],
) -> None:
    table, members = drawn
    cost = least_transport_cost(table, members, lambda a, b: Fraction(int(a != b)))
    assert emd_equal([members], table).maximum == cost


@no_deadline
@given(tables([0, 1, 2, 3, 4]), st.permutations([0, 1, 2, 3, 4]))
def test_ordered_distance_is_the_least_cost_of_moving_along_the_order(
    drawn: tuple[list[Value], list[Value]], order: list[Value]
) -> None:
    """Values of the order that no record has count in the normaliser."""
    table, members = drawn

    def ground(a: Value, b: Value) -> Fraction:
        return Fraction(abs(order.index(a) - order.index(b)), len(order) - 1)

    cost = least_transport_cost(table, members, ground)
    assert emd_ordered([members], table, order).maximum == cost


def tree_distance(a: Value, b: Value) -> Fraction:
    """Height of the lowest common ancestor over the height of the tree, level by level."""
    left, right = aligned_chain(TREE, a), aligned_chain(TREE, b)
    levels = [level for level in range(len(left)) if left[level:] == right[level:]]
    return Fraction(min(levels), len(left) - 1)


@no_deadline
@given(tables(LEAVES))
def test_hierarchical_distance_is_the_least_cost_of_moving_in_the_tree(
    drawn: tuple[list[Value], list[Value]],
) -> None:
    """The recursion of Li et al. (2007) gives the transport cost that defines the distance."""
    table, members = drawn
    cost = least_transport_cost(table, members, tree_distance)
    assert emd_hierarchical([members], table, TREE).maximum == cost


@no_deadline
@given(tables(LEAVES))
def test_hierarchical_distance_is_half_the_imbalance_of_every_edge(
    drawn: tuple[list[Value], list[Value]],
) -> None:
    """All leaves are equally deep, so every edge has length 1/(2H) and carries its imbalance."""
    table, members = drawn
    nodes = {node for leaf in LEAVES for node in nodes_above(TREE, leaf)}
    total = Fraction(0)
    for node in nodes:
        below = [leaf for leaf in LEAVES if node in nodes_above(TREE, leaf)]
        p = Fraction(sum(v in below for v in table), len(table))
        q = Fraction(sum(v in below for v in members), len(members))
        total += abs(p - q)
    expected = total / (2 * (len(aligned_chain(TREE, "flu")) - 1))
    assert emd_hierarchical([members], table, TREE).maximum == expected


@no_deadline
@given(tables(LEAVES))
def test_a_flat_tree_gives_the_equal_distance(drawn: tuple[list[Value], list[Value]]) -> None:
    table, members = drawn
    flat: dict[Value, tuple[Value, ...]] = dict.fromkeys(LEAVES, ("*",))
    assert emd_hierarchical([members], table, flat) == emd_equal([members], table)


@no_deadline
@given(tables(LEAVES), st.permutations(LEAVES))
def test_distances_lie_between_zero_and_one(
    drawn: tuple[list[Value], list[Value]], order: list[Value]
) -> None:
    """The table itself is at distance 0, and no distance exceeds the equal one."""
    table, members = drawn
    both = [table, members]
    for measured in (
        emd_equal(both, table),
        emd_ordered(both, table, order),
        emd_hierarchical(both, table, TREE),
    ):
        near, far = measured.per_class
        assert near == 0
        assert 0 <= far <= emd_equal([members], table).maximum <= 1
        assert measured.maximum == far


@no_deadline
@given(st.lists(st.lists(st.sampled_from(LEAVES), min_size=1, max_size=4), min_size=2, max_size=4))
def test_joining_classes_is_never_farther_than_the_farthest_of_them(
    classes: list[list[Value]],
) -> None:
    table = [value for values in classes for value in values]
    joined = [classes[0] + classes[1], *classes[2:]]
    assert emd_equal(joined, table).maximum <= emd_equal(classes, table).maximum
    assert emd_ordered(joined, table, LEAVES).maximum <= emd_ordered(classes, table, LEAVES).maximum
    assert (
        emd_hierarchical(joined, table, TREE).maximum
        <= emd_hierarchical(classes, table, TREE).maximum
    )


def test_one_value_in_the_order_gives_distance_zero() -> None:
    """The normaliser s - 1 would be 0."""
    assert emd_ordered([["a"], ["a", "a"]], ["a"] * 3, ["a"]).maximum == 0


def test_values_without_a_place_are_refused() -> None:
    with pytest.raises(ValueError, match="missing in the order"):
        emd_ordered([["a", None]], ["a", None], ["a"])
    with pytest.raises(ValueError, match="twice"):
        emd_ordered([["a"]], ["a"], ["a", "a"])
    with pytest.raises(ValueError, match="not a leaf"):
        emd_hierarchical([["b"]], ["b"], {"a": ("*",)})
    with pytest.raises(ValueError, match="without records"):
        emd_equal([[]], ["a"])


# --- k, alpha, l ---------------------------------------------------------------------------------


@no_deadline
@given(st.lists(st.lists(st.sampled_from(LEAVES), min_size=1, max_size=6), min_size=1, max_size=4))
def test_diversity_measures_bound_each_other(classes: list[list[Value]]) -> None:
    """1/alpha <= exp(H) <= number of values <= class size, in every class."""
    for size, share, distinct, entropy in zip(
        k_anonymity(classes).per_class,
        alpha(classes).per_class,
        distinct_l(classes).per_class,
        entropy_l(classes).per_class,
        strict=True,
    ):
        assert float(1 / share) <= entropy + 1e-9
        assert entropy <= distinct + 1e-9
        assert distinct <= size
    assert k_anonymity(classes).minimum == min(len(values) for values in classes)


def test_null_is_a_value_of_its_own() -> None:
    classes: list[list[Value]] = [[None, None, "a"]]
    assert distinct_l(classes).minimum == 2
    assert alpha(classes).maximum == Fraction(2, 3)
    assert emd_equal(classes, [None, "a"]).maximum == Fraction(1, 6)


@no_deadline
@given(positive_counts, st.fractions(min_value=1, max_value=6, max_denominator=8))
def test_exact_entropy_test_agrees_with_the_logarithm(counts: list[int], least: Fraction) -> None:
    """Away from equality, where a floating-point number can be trusted."""
    values = [i for i, r in enumerate(counts) for _ in range(r)]
    shown = entropy_l([values]).minimum
    assume(abs(shown - float(least)) > 1e-9)
    assert entropy_holds(counts, least) == (shown > least)
    assert entropy_diverse([values], least) == (shown > least)


@no_deadline
@given(st.integers(min_value=1, max_value=12), st.integers(min_value=1, max_value=12))
def test_exact_entropy_test_holds_at_equality(values: int, each: int) -> None:
    """l values of the same count: the entropy is exactly ln l, and zero counts change nothing."""
    assert entropy_holds([each] * values + [0], values)
    assert not entropy_holds([each] * values, values + Fraction(1, 10**9))


@no_deadline
@given(
    count_lists,
    st.fractions(min_value=0, max_value=4, max_denominator=8),
    st.integers(min_value=1, max_value=7),
)
def test_recursive_diversity_by_removing_values_one_at_a_time(
    counts: list[int], c: Fraction, least: int
) -> None:
    """The sum is what is left when the l - 1 most frequent values are taken away."""
    left = [r for r in counts if r > 0]
    assume(left)
    greatest = max(left)
    for _ in range(least - 1):
        if left:
            left.remove(max(left))
    assert recursive_holds(counts, c, least) == (bool(left) and greatest < c * sum(left))


def test_recursive_diversity_is_strict() -> None:
    assert not recursive_holds([2, 1, 1], Fraction(1), 2)
    assert recursive_holds([2, 1, 1], Fraction(101, 100), 2)


@no_deadline
@given(count_lists, ties)
def test_frequency_order_is_descending_with_ties_by_index(counts: list[int], tie: Tie) -> None:
    order = frequency_order(counts, tie)
    assert sorted(order) == list(range(len(counts)))
    for before, after in pairwise(order):
        assert counts[before] >= counts[after]
        if counts[before] == counts[after]:
            assert (before > after) == (tie == "high")


def test_frequency_ties_go_to_the_higher_index() -> None:
    """Gowda (2023), section 3.3.1; section 5.3.1 has the other rule."""
    assert frequency_order([5, 7, 5, 0]) == [1, 2, 0, 3]
    assert frequency_order([5, 7, 5, 0], "low") == [1, 0, 2, 3]


# --- Stack & Deal --------------------------------------------------------------------------------


@no_deadline
@given(any_matrix, st.data(), orders, ties)
def test_dealt_classes_are_balanced(
    counts: dict[Cell, int], data: st.DataObject, order: Order, tie: Tie
) -> None:
    """No class below k, sizes within 1, each cell's count within 1; no record lost."""
    n = mass(counts)
    k = data.draw(st.integers(min_value=1, max_value=n))
    stacked = stack(counts, order, tie)
    class_of = deal(stacked, k)
    cells = sorted(counts)
    matrix = class_count_matrix(stacked, class_of, cells)
    sizes = [sum(row) for row in matrix]

    assert len(matrix) == number_of_classes(n, k) == n // k
    assert min(sizes) >= k
    assert max(sizes) - min(sizes) <= 1
    for cell, column in zip(cells, zip(*matrix, strict=True), strict=True):
        assert max(column) - min(column) <= 1
        assert sum(column) == counts[cell]
    if n < 2 * k:
        assert set(class_of) == {0}


@no_deadline
@given(matrices(1), st.data(), st.integers(min_value=0, max_value=3))
def test_stacking_by_value_bounds_the_ordered_distance(
    counts: dict[Cell, int], data: st.DataObject, absent: int
) -> None:
    """Below 1/(class size), thus below 1/k, also if the domain has values without records."""
    k = data.draw(st.integers(min_value=1, max_value=mass(counts)))
    members = attribute_values(dealt(counts, k, "value"), 0)
    table = [cell[0] for cell in stack(counts)]
    measured = emd_ordered(members, table, range(4 + absent))
    for values, distance in zip(members, measured.per_class, strict=True):
        assert distance < Fraction(1, len(values)) <= Fraction(1, k)


@no_deadline
@given(matrices(1), st.data(), ties)
def test_stacking_by_frequency_bounds_the_distance_in_frequency_order(
    counts: dict[Cell, int], data: st.DataObject, tie: Tie
) -> None:
    """The same bound, since the stack is in the order of the distance here too."""
    k = data.draw(st.integers(min_value=1, max_value=mass(counts)))
    members = attribute_values(dealt(counts, k, "frequency", tie), 0)
    vector = [counts.get((i,), 0) for i in range(4)]
    table = [cell[0] for cell in stack(counts)]
    measured = emd_ordered(members, table, frequency_order(vector, tie))
    for values, distance in zip(members, measured.per_class, strict=True):
        assert distance < Fraction(1, len(values))


@no_deadline
@given(count_lists, ties)
def test_one_attribute_is_stacked_in_frequency_order(counts: list[int], tie: Tie) -> None:
    assume(sum(counts) > 0)
    cells = cell_order(from_vector(counts), "frequency", tie)
    assert cells == [(i,) for i in frequency_order(counts, tie) if counts[i] > 0]


@no_deadline
@given(any_matrix, orders, ties)
def test_a_stack_is_the_table_sorted_by_cell(
    counts: dict[Cell, int], order: Order, tie: Tie
) -> None:
    """Every record once, equal cells together."""
    stacked = stack(counts, order, tie)
    assert multiplicity(stacked) == {cell: r for cell, r in counts.items() if r > 0}
    assert list(dict.fromkeys(stacked)) == cell_order(counts, order, tie)
    assert sum(a != b for a, b in pairwise(stacked)) == len(set(stacked)) - 1


@no_deadline
@given(any_matrix, orders, ties, st.data())
def test_rows_are_dealt_as_their_cells_are(
    counts: dict[Cell, int], order: Order, tie: Tie, data: st.DataObject
) -> None:
    """The order in which the rows come decides nothing but which of equal rows goes where."""
    rows = data.draw(st.permutations(stack(counts)))
    k = data.draw(st.integers(min_value=1, max_value=len(rows)))
    positions = stack_rows(rows, order, tie)
    assert sorted(positions) == list(range(len(rows)))
    assert [rows[position] for position in positions] == stack(counts, order, tie)
    members = class_members(rows, deal_rows(rows, k, order, tie))
    assert [sorted(m) for m in members] == [sorted(m) for m in dealt(counts, k, order, tie)]


@no_deadline
@given(st.lists(st.integers(min_value=1, max_value=4), min_size=1, max_size=4))
def test_snake_visits_each_cell_once_and_steps_to_a_neighbour(shape: list[int]) -> None:
    walk = snake(shape)
    assert sorted(walk) == sorted(product(*map(range, shape)))
    for before, after in pairwise(walk):
        assert sum(abs(a - b) for a, b in zip(before, after, strict=True)) == 1


@no_deadline
@given(st.lists(st.integers(min_value=1, max_value=4), min_size=1, max_size=4))
def test_snake_turns_by_the_parity_of_the_codes_before(shape: list[int]) -> None:
    """The form a query can sort by: a code counts backwards if those before it sum to odd."""

    def key(cell: Cell) -> list[int]:
        return [code if sum(cell[:d]) % 2 == 0 else -code for d, code in enumerate(cell)]

    assert snake(shape) == sorted(product(*map(range, shape)), key=key)


def test_stack_orders_of_a_small_matrix() -> None:
    counts = from_table([[2, 1, 0], [1, 1, 3]])
    assert cell_order(counts) == [(1, 2), (0, 0), (1, 1), (1, 0), (0, 1)]
    assert cell_order(counts, tie="low") == [(1, 2), (0, 0), (0, 1), (1, 0), (1, 1)]
    assert cell_order(counts, "value") == [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2)]
    assert cell_order(counts, "snake") == [(0, 0), (0, 1), (1, 2), (1, 1), (1, 0)]


@pytest.mark.parametrize("k", [0, -1, 4])
def test_impossible_class_sizes_are_refused(k: int) -> None:
    with pytest.raises(ValueError, match=r"k is at least 1|no class of"):
        deal(["a", "b", "c"], k)


@no_deadline
@given(matrices(2), st.data(), orders)
def test_marginal_counts_differ_by_at_most_the_number_of_cells(
    counts: dict[Cell, int], data: st.DataObject, order: Order
) -> None:
    """The guarantee is for cells; a value's count can drift by 1 with each of its cells."""
    k = data.draw(st.integers(min_value=1, max_value=mass(counts)))
    for axis in (0, 1):
        members = attribute_values(dealt(counts, k, order), axis)
        for value in range(4):
            per_class = [values.count(value) for values in members]
            cells = sum(r > 0 and cell[axis] == value for cell, r in counts.items())
            assert max(per_class) - min(per_class) <= cells


@pytest.mark.parametrize("cells", [1, 2, 5, 8])
def test_marginal_counts_can_differ_by_the_number_of_cells(cells: int) -> None:
    """Two classes, odd counts in turn from two rows: one class wins every cell of the first row."""
    falling = [2 * i + 1 for i in reversed(range(2 * cells))]
    counts = from_table([falling[0::2], falling[1::2]])
    members = attribute_values(dealt(counts, mass(counts) // 2, "frequency"), 0)
    assert len(members) == 2
    assert members[0].count(0) - members[1].count(0) == cells


# --- multiplicity matrix -------------------------------------------------------------------------


@no_deadline
@given(any_matrix)
def test_marginals_are_the_counts_of_one_attribute(counts: dict[Cell, int]) -> None:
    records = stack(counts)
    for axis in range(len(records[0])):
        sums = marginal(counts, axis, 4)
        assert sums == [sum(cell[axis] == value for cell in records) for value in range(4)]
        assert sum(sums) == mass(counts) == len(records)


@no_deadline
@given(matrices(2), st.integers(min_value=0, max_value=3), st.integers(min_value=0, max_value=3))
def test_the_boxes_of_a_cut_share_the_mass(counts: dict[Cell, int], first: int, last: int) -> None:
    """The table conforms to itself everywhere, and two boxes side by side hold the whole."""
    assert conforms(counts, counts, [(0, first), (0, last)])
    left, right = [(0, first), (0, 3)], [(first + 1, 3), (0, 3)]
    assert box_mass(counts, left) + box_mass(counts, right) == mass(counts)


# --- hierarchy -----------------------------------------------------------------------------------


@no_deadline
@given(st.sets(st.sampled_from(LEAVES), min_size=1))
def test_lowest_common_ancestor_covers_the_leaves_and_no_child_of_it_does(
    leaves: set[Value],
) -> None:
    whole = with_null(TREE)
    node = lca_node(whole, leaves)
    covering = [
        other
        for leaf in whole
        for other in nodes_above(whole, leaf)
        if leaves <= leaves_under(whole, other)
    ]
    assert node in covering
    assert len(node) == max(len(other) for other in covering)
    assert lca(whole, leaves) == lca(TREE, leaves) == node[0]


def test_lowest_common_ancestors_of_the_example() -> None:
    assert lca(TREE, ["flu"]) == "flu"
    assert lca(TREE, ["flu", "measles"]) == "viral"
    assert lca(TREE, ["flu", "cholera"]) == "infection"
    assert lca(TREE, ["ulcer"]) == "ulcer"
    assert lca(TREE, ["unknown", "ulcer"]) == "*"
    # The same label at two places is not the same node.
    assert lca(TREE, ["cholera", "rash"]) == "*"
    assert leaves_under(TREE, lca_node(TREE, ["flu", "cholera"])) == {"flu", "measles", "cholera"}


def test_null_hangs_under_the_root() -> None:
    assert lca(TREE, [None]) is None
    assert lca(TREE, [None, "unknown"]) == "*"
    assert lca(TREE, [None, "flu", "measles"]) == "*"
    assert None not in leaves_under(TREE, ("*",))
    assert None in leaves_under(with_null(TREE), ("*",))
    # A tree that has its own place for NULL keeps it.
    assert lca({**TREE, None: ("viral", "infection", "*")}, [None, "flu"]) == "viral"


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ({}, "at least one leaf"),
        ({"a": ()}, "at least one leaf"),
        ({"a": ("x",), "b": ("y",)}, "one root"),
    ],
)
def test_impossible_hierarchies_are_refused(tree: Tree, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        lca(tree, ["a"])


def test_unknown_leaves_and_no_leaves_are_refused() -> None:
    with pytest.raises(ValueError, match="not a leaf"):
        lca(TREE, ["plague"])
    with pytest.raises(ValueError, match="of nothing"):
        lca(TREE, [])


# --- information loss ----------------------------------------------------------------------------


@no_deadline
@given(
    st.lists(
        st.tuples(
            st.tuples(st.integers(0, 9), st.integers(-3, 3), st.just(5)),
            st.integers(min_value=0, max_value=2),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_loss_lies_between_zero_and_one(rows: list[tuple[tuple[int, int, int], int]]) -> None:
    """Each record in a class of its own loses nothing; one class loses every varying column."""
    records, labels = [row[0] for row in rows], [row[1] for row in rows]
    assert 0 <= gcp(numeric_record_losses(records, labels)) <= 1
    assert gcp(numeric_record_losses(records, range(len(records)))) == 0
    varying = sum(len(set(column)) > 1 for column in zip(*records, strict=True))
    assert gcp(numeric_record_losses(records, [0] * len(records))) == Fraction(varying, 3)
    for closest in ("box", "centroid"):
        assert 0 <= record_linkage(records, labels, closest) <= 1
    assert record_linkage(records, [0] * len(records), "box") == Fraction(1, len(records))


@no_deadline
@given(positive_counts, st.integers(min_value=1, max_value=9))
def test_discernibility_counts_the_pairs_that_look_alike(sizes: list[int], k: int) -> None:
    """Ordered pairs of records, with itself, in the same class; suppressed pairs with everyone."""
    records = [label for label, size in enumerate(sizes) for _ in range(size)]
    assert discernibility(sizes) == sum(a == b for a, b in product(records, records))
    assert discernibility(sizes, suppressed=2) == discernibility(sizes) + 2 * (len(records) + 2)
    assert c_avg(sizes, k) * k * len(sizes) == len(records)


def test_penalties_of_single_cells() -> None:
    assert ncp_interval(17, 25, 80) == Fraction(1, 10)
    assert ncp_interval(17, 17, 80) == 0
    assert ncp_interval(5, 5, 0) == 0
    assert ncp_node(1, 6) == 0
    assert ncp_node(3, 6) == Fraction(2, 5)
    assert ncp_node(6, 6) == 1
    assert ncp_node(1, 1) == 0
    assert ncp_set(2, 5) == Fraction(1, 4)
    assert ncp_set(1, 1) == 0
    assert NCP_SUPPRESSED == 1
    assert record_loss([Fraction(1), Fraction(0)]) == Fraction(1, 2)
    assert record_loss([Fraction(1), Fraction(0)], [3, 1]) == Fraction(3, 4)


def test_a_node_of_the_tree_has_the_penalty_of_its_leaves() -> None:
    """NULL counts as a leaf where the column has it."""
    whole = with_null(TREE)
    node = lca_node(whole, ["flu", "cholera"])
    assert ncp_node(len(leaves_under(whole, node)), len(whole)) == Fraction(2, 6)
    for pair in combinations(whole, 2):
        assert 0 < ncp_node(len(leaves_under(whole, lca_node(whole, pair))), len(whole)) <= 1


@pytest.mark.parametrize("penalty", [lambda: ncp_interval(5, 4, 9), lambda: ncp_interval(0, 9, 8)])
def test_intervals_outside_the_column_are_refused(penalty: Callable[[], Fraction]) -> None:
    with pytest.raises(ValueError, match="inside the range"):
        penalty()


@pytest.mark.parametrize(("size", "domain"), [(0, 3), (4, 3)])
def test_impossible_leaf_and_set_sizes_are_refused(size: int, domain: int) -> None:
    with pytest.raises(ValueError, match="between one and all"):
        ncp_node(size, domain)
    with pytest.raises(ValueError, match="between one and all"):
        ncp_set(size, domain)
