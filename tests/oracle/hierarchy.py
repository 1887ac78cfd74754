"""Generalization hierarchies, by the plainest possible means.

A hierarchy is a mapping from each leaf to its ancestors, from the parent to the root:
``{"Flu": ("respiratory", "*"), "Ulcer": ("stomach", "*")}``. Leaves may be of different depth:
chains are aligned at the root, and a shallower leaf stands for itself on the levels below.

A node is written as its path to the root, ``("stomach", "*")``, so that two nodes with the same
label under different parents stay two nodes. NULL (``None``) is an extra leaf under the root.
"""

from collections.abc import Collection, Hashable, Mapping, Sequence

Value = Hashable
Tree = Mapping[Value, Sequence[Value]]
Node = tuple[Value, ...]


def root(tree: Tree) -> Value:
    """The one label that ends every chain.

    Raises:
        ValueError: If the tree has no leaf, a leaf without ancestor, or more than one root.
    """
    if not tree or not all(tree.values()):
        raise ValueError("a hierarchy needs at least one leaf, and each leaf at least the root")
    roots = {ancestors[-1] for ancestors in tree.values()}
    if len(roots) != 1:
        raise ValueError(f"a hierarchy has one root, this one has {len(roots)}")
    return roots.pop()


def with_null(tree: Tree) -> dict[Value, tuple[Value, ...]]:
    """The same tree with NULL as an extra leaf directly under the root, if it is no leaf yet."""
    top = root(tree)
    extended = {leaf: tuple(ancestors) for leaf, ancestors in tree.items()}
    extended.setdefault(None, (top,))
    return extended


def height(tree: Tree) -> int:
    """The number of levels above the leaves: edges of the longest way from a leaf to the root."""
    root(tree)
    return max(len(ancestors) for ancestors in tree.values())


def aligned_chain(tree: Tree, leaf: Value) -> Node:
    """The leaf and its ancestors, one label per level, ``height(tree) + 1`` labels in all.

    A leaf shallower than the tree repeats itself on the lower levels.

    Raises:
        ValueError: If the value is no leaf of the tree (NULL always is one).
    """
    leaves = with_null(tree)
    if leaf not in leaves:
        raise ValueError("a value is not a leaf of the hierarchy")
    ancestors = leaves[leaf]
    return (leaf,) * (height(tree) + 1 - len(ancestors)) + ancestors


def nodes_above(tree: Tree, leaf: Value) -> list[Node]:
    """The nodes on the way from the leaf itself (first) to the root (last)."""
    chain = aligned_chain(tree, leaf)
    return [chain[level:] for level in range(len(chain))]


def lca_node(tree: Tree, leaves: Collection[Value]) -> Node:
    """The lowest node that stands above every given leaf; a single leaf is its own.

    Raises:
        ValueError: If no leaf is given, or a value is no leaf.
    """
    if not leaves:
        raise ValueError("the lowest common ancestor of nothing is not defined")
    ways = [nodes_above(tree, leaf) for leaf in leaves]
    return next(node for node in ways[0] if all(node in way for way in ways))


def lca(tree: Tree, leaves: Collection[Value]) -> Value:
    """The label of the lowest common ancestor (see `lca_node`): the value that is published."""
    return lca_node(tree, leaves)[0]


def leaves_under(tree: Tree, node: Node) -> set[Value]:
    """The leaves below a node, itself included if it is a leaf.

    NULL is counted only if the tree holds it: pass ``with_null(tree)`` for a column with NULLs.
    """
    return {leaf for leaf in tree if node in nodes_above(tree, leaf)}
