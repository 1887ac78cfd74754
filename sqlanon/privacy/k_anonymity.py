"""k-anonymity: every class has at least k records. Sweeney (2002)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sqlanon.common.fields import Whole
from sqlanon.privacy.model import DbtTest, PrivacyModel, SpecField

K_ANONYMITY = PrivacyModel(
    name="k_anonymity",
    title="k-anonymity",
    field=SpecField("k", "KAnonymity", "a whole number from 1; required"),
    per="release",
    threshold=Annotated[Whole, Field(ge=1)],
    example="5",
    idle=1,  # every class has a record
    measured="privacy/k_anonymity",
    reads=("classes",),
    worst="least",
    least_size=int,
    dbt=DbtTest(read="whole_bound", missed="classes of fewer than {threshold} records"),
    monotone="parted",
    formula="N ≥ k",
    value="N",
    range="[1, n]",
    paper="Sweeney (2002)",
    says="every class has at least `k` records",
)
