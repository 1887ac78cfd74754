"""The declarations that a spec needs for SABRE."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from sqlanon.errors import Problem
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.spec import MethodSettings, Spec


class SabreSettings(MethodSettings):
    """Buckets of a sensitive attribute, and classes with their share of each. Cao et al. (2011)."""

    counts_persons: ClassVar[bool] = False

    name: Literal["sabre"] = "sabre"

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """Buckets are those of one sensitive attribute, and are sought for its t."""
        if len(spec.sensitive) != 1:
            number = "none is" if not spec.sensitive else f"{len(spec.sensitive)} are"
            what = f"sabre works on one sensitive attribute, and {number} declared"
            yield Problem("method", f"{what}: take another method")
            return
        ((name, declared),) = spec.sensitive.items()
        if T_CLOSENESS.asked(declared) is None and T_CLOSENESS.asked(spec.privacy) is None:
            yield Problem(
                f"sensitive.{name}.t",
                "sabre forms classes for a t, and none is asked for: give it a number from 0 to 1",
            )
