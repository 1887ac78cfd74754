"""Guarding nodes: what a person does not want to be known, no class tells. Xiao and Tao (2006).

Every person may name a node of the hierarchy above the own value. In a class that the person is
in, at most a share p of the records have a value under it: so sure is a reader of the class that
the person's value lies there. That holds among exact values, the person's own record included.

A union of classes that meet it may fail it: one without the person may consist of nothing but
values under the node. And a class that fails may be made of classes that meet it. So a search over
levels passes over nothing, and one that cuts tests both sides of every cut, and the root.
"""

from __future__ import annotations

from pydantic import Field

from sqlanon.fields import Declared, Share
from sqlanon.privacy.model import CutCondition, PrivacyModel, SpecField, only
from sqlanon.sql.names import exact


class Guard(Declared):
    """Every person's guarding node, and how sure of it a reader may be. Xiao and Tao (2006), §3."""

    column: str = Field(
        min_length=1,
        description="the column of the source with a label of the hierarchy, or NULL for none; "
        "it is not published",
    )
    p: Share = Field(
        description="the greatest share of a class whose values lie under a member's node"
    )


GUARD = PrivacyModel(
    name="guarded_share",
    title="personalized privacy",
    field=SpecField("guard", "Guard", "`{column: …, p: …}`: a column of labels, and a share"),
    form=None,
    per="guard",
    threshold=Guard,
    example="{column: asks, p: 1/2}",
    measured="privacy/guarded_share",
    reads=("classes", "class_values", "positions"),
    worst="greatest",
    bound=lambda guard: guard.p,
    shown=lambda guard: exact(guard.p),
    cut=CutCondition("methods/split_or_deal/guarded"),
    fits=only("text", needs="text, as labels of the hierarchy are text"),
    formula="r_g / N ≤ p for every node g that a member names, r_g records having a value under g",
    equality="holds",
    value="the greatest r_g / N; 0 where no member names a node",
    range="[0, 1]",
    paper="Xiao and Tao (2006), §3",
    says="in every class at most this share of the records have a value under the node that a "
    "member guards",
)
