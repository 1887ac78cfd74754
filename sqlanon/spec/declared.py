"""What everything that a user declares has in common: unknown keys are errors, values stay."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Declared(BaseModel):
    """A part of a spec."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)
