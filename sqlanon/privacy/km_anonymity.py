"""k^m-anonymity: a reader who knows m members of a set is left with k records.

Terrovitis, Mamoulis and Kalnis (2008). Within classes of quasi-identifiers it is the (k, k^m) of
Poulis et al. (2013): a reader knows these and m members together.
"""

from __future__ import annotations

from fractions import Fraction

from pydantic import Field

from sqlanon.common.fields import Declared, Whole
from sqlanon.privacy.model import CutCondition, PrivacyModel, SpecField, only

MOST_KNOWN = 3  # members of a set: their combinations are joined one by one


class KnownMembers(Declared):
    """How many members of a set a reader knows, and how many records that leaves."""

    k: Whole = Field(ge=1, description="how many records of every class have the members, or none")
    m: Whole = Field(ge=1, le=MOST_KNOWN, description="of how many members, or fewer")


KM_ANONYMITY = PrivacyModel(
    name="km_anonymity",
    title="k^m-anonymity",
    field=SpecField("km", "KmAnonymity", "`{k: …, m: …}`, two whole numbers; m is at most 3"),
    threshold=KnownMembers,
    example="{k: 5, m: 2}",
    measured="privacy/km_anonymity",
    reads=("class_values", "positions"),
    worst="least",
    always=False,
    bound=lambda asked: Fraction(asked.k),
    shown=lambda asked: f"k = {asked.k}, m = {asked.m}",
    taken={"m": 2},
    least_size=lambda asked: int(asked.k),
    cut=CutCondition(
        "privacy/cut/supports",
        amount="support",
        scale="one",
        params=lambda demand, sides: {"m": demand.threshold.m},
    ),
    of_any_table=False,
    fits=only("text", needs="sets as text, as transform: {members: sorted} makes them"),
    monotone="merged",
    formula="s(I) ≥ k for every I of at most m members of a set of the class, s(I) records of "
    "which have all of I; s(∅) = N",
    value="the least s(I)",
    range="[1, n]",
    paper="Terrovitis, Mamoulis and Kalnis (2008), definition 1; Poulis et al. (2013)",
    says="a reader who knows up to `m` members of a set is left with at least `k` records of every "
    "class",
    remedy="rare_members in its transform leaves out the members that no class can hold",
)
