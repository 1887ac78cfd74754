"""Against a population: how many of its persons a published cell covers.

k-map (Sweeney 2002) asks that every published tuple covers at least so many, in the release or not.
δ-presence (Nergiz, Atzori and Clifton 2007) asks that the share of them that is in the release lies
within two bounds. Both are asked for under ``privacy.population``, which names the population.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sqlanon.fields import Closeness, Whole
from sqlanon.privacy.model import PrivacyModel, SpecField

_K_MAP = SpecField("k_map", "Population", "a whole number from 1")
_PRESENCE = SpecField("presence", "Population", "two shares, such as `[0, 1/2]`")
_SHARE = "released / covered"

K_MAP = PrivacyModel(
    name="k_map",
    title="k-map",
    field=_K_MAP,
    form=None,
    per="population",
    threshold=Annotated[Whole, Field(ge=1)],
    example="5",
    measured="privacy/k_map",
    reads=("covered",),
    worst="least",
    monotone="parted",
    formula="covered ≥ k",
    equality="holds",
    value="the rows of the population that the published tuple covers",
    range="[0, inf)",
    paper="Sweeney (2002)",
    says="every published tuple covers at least `k_map` persons of the population",
)

LEAST_PRESENCE = PrivacyModel(
    name="least_presence",
    title="δ-presence, at least",
    field=_PRESENCE,
    form="least",
    per="population",
    threshold=Closeness,
    example="0.1",
    idle=0,
    measured="privacy/presence",
    reads=("covered",),
    worst="least",
    formula="released / covered ≥ δ_min",
    equality="holds",
    value=_SHARE,
    range="[0, 1]",
    paper="Nergiz, Atzori and Clifton (2007)",
    says="of those whom a published tuple covers at least the share `presence` is in the release",
)

MOST_PRESENCE = PrivacyModel(
    name="most_presence",
    title="δ-presence, at most",
    field=_PRESENCE,
    form="most",
    per="population",
    threshold=Closeness,
    example="0.5",
    vacuous=1,
    measured="privacy/presence",
    reads=("covered",),
    worst="greatest",
    monotone="merged",
    formula="released / covered ≤ δ_max",
    equality="holds",
    value=_SHARE,
    range="[0, 1]",
    paper="Nergiz, Atzori and Clifton (2007)",
    says="of those whom a published tuple covers at most the share `presence` is in the release",
)

# In the order of the metrics, after those of `sqlanon.privacy.MODELS`.
OF_POPULATION: tuple[PrivacyModel, ...] = (K_MAP, LEAST_PRESENCE, MOST_PRESENCE)
