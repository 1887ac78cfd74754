"""Goals: k, l and t by whom a release is for, for people who do not want to choose numbers.

The sources of the k are in docs/spec/privacy.md; no rule that we know sets an l or a t, so these
are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

GoalName = Literal["public", "researchers", "internal"]


@dataclass(frozen=True)
class Goal:
    """How much privacy a release needs for those who read it.

    Attributes:
        readers: those who read it, in words.
        k: how many records, or persons, every class has at least.
        l: how many different sensitive values.
        t: how far their distribution may be from the whole table's.
    """

    readers: str
    k: int
    l: int  # noqa: E741 - as the model is called
    t: str

    @property
    def asked(self) -> dict[str, Any]:
        """The fields of ``privacy`` that it stands for."""
        return {"k": self.k, "l": self.l, "t": self.t}


GOALS: Mapping[GoalName, Goal] = {
    "public": Goal("anybody: nothing binds them", 12, 3, "0.2"),
    "researchers": Goal("persons who are named and bound by a contract", 5, 2, "0.3"),
    "internal": Goal("colleagues who may see such data, under the house's rules", 3, 2, "0.5"),
}


def with_goal(declared: Any) -> Any:
    """A declared spec with what its goal asks for, where ``privacy`` asks for nothing itself.

    Without a sensitive attribute that is k alone. A goal or privacy that cannot be
    read stays as it is: it is refused where it is read.
    """
    if not isinstance(declared, Mapping) or not isinstance(declared.get("goal"), str):
        return declared
    goal = next((of for name, of in GOALS.items() if name == declared["goal"]), None)
    privacy = declared.get("privacy")
    given = {} if privacy is None else privacy
    if goal is None or not isinstance(given, Mapping):
        return declared
    asked = goal.asked if declared.get("sensitive") else {"k": goal.k}
    filled = {name: value for name, value in asked.items() if given.get(name) is None}
    return {**declared, "privacy": {**given, **filled}}
