"""Alike background knowledge: it sets no members of a class apart. Amiri et al. (2023).

An adversary who knows how the sensitive attribute goes with the quasi-identifiers takes some
members of a class for likelier owners of a value than others. The model bounds how far what is
known of two members may lie apart: the Jensen-Shannon divergence, base 2, without a root. A part of
a class that meets it meets it; two classes that do may not together. So a search does not test it
at cuts: it starts from clusters that meet it (`sqlanon.methods.zones`).
"""

from __future__ import annotations

from sqlanon.fields import Closeness
from sqlanon.privacy.model import PrivacyModel, SpecField

BACKGROUND = PrivacyModel(
    name="background_knowledge",
    title="alike background knowledge",
    field=SpecField(
        "bk",
        "BackgroundKnowledge",
        "a number from 0 to 1, or `{j: …}`; held where a `background` is declared",
    ),
    form="j",
    per="background",
    threshold=Closeness,
    example="0.3",
    vacuous=1,
    measured="privacy/background_knowledge",
    reads=("classes", "class_values", "divergences"),
    worst="greatest",
    formula="JS(Bᵤ, Bᵥ) ≤ J for any two records u, v of a class",
    equality="holds, to the ninth digit of JS",
    value="the greatest JS(Bᵤ, Bᵥ)",
    range="[0, 1]",
    paper="Amiri et al. (2023)",
    says="what is known beforehand of any two members of a class differs by at most `bk`",
)
