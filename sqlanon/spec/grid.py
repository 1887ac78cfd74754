"""The grid of a sweep: the values of k, l, t and J and the methods, each as in a spec."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Annotated, Any

import yaml
from pydantic import BeforeValidator, ConfigDict, Field, create_model

from sqlanon.common.fields import Closeness, Declared, Exact, whole_numbers
from sqlanon.privacy.model import PrivacyModel
from sqlanon.privacy.thresholds import swept_models
from sqlanon.spec.method import SETTINGS, Method, MethodSettings
from sqlanon.spec.model import Spec
from sqlanon.spec.reading import yaml_list


def _closenesses(value: Any) -> list[Any]:
    """Numbers with commas between, or a list of them, each once."""
    parts = value.split(",") if isinstance(value, str) else value
    parts = parts if isinstance(parts, list | tuple) else [parts]
    found = [part.strip() if isinstance(part, str) else part for part in parts]
    found = list(dict.fromkeys(part for part in found if part != ""))
    if not found:
        raise ValueError("there is no number in it: give numbers from 0 to 1, such as 0.3,0.2")
    return found


def _declared(model: PrivacyModel) -> Callable[[Any], list[Any]]:
    """The same of a model; a single one may also stand as a spec declares it."""

    def read(value: Any) -> list[Any]:
        if isinstance(value, Mapping) and list(value) == [model.form]:
            value = value[model.form]
        return _closenesses(value)

    return read


def _methods(value: Any) -> list[Any]:
    """Methods as a spec declares one, with commas between, or a list of them."""
    if isinstance(value, str):
        try:
            value = yaml_list(value)
        except yaml.YAMLError:
            raise ValueError(
                "it cannot be read: write each method as in a spec, with commas between, such as "
                "split_or_deal, {name: stack_and_deal, locality: curve}"
            ) from None
    found = list(value) if isinstance(value, list | tuple) else [value]
    if not found:
        raise ValueError(f"there is no method in it; known: {', '.join(sorted(SETTINGS))}")
    return found


@dataclass(frozen=True)
class Combination:
    """The settings that a sweep tries at once.

    Attributes:
        method: the method, with its settings.
        k: the least class size.
        t: the closeness asked of every sensitive attribute; None: as the spec has it.
        l: the different values asked of every sensitive attribute; None: as the spec has it.
        further: by its field, what is asked by another model; without: as the spec has it.
    """

    method: MethodSettings
    k: int
    t: Fraction | None = None
    l: int | None = None  # noqa: E741 - as the model is called
    further: Mapping[str, Any] = field(default_factory=dict)


class GridBase(Declared):
    """Every combination of these is tried; a field that is left out stays as the spec has it.

    Attributes:
        k: the least class sizes, ascending.
        t: the closeness asked of every sensitive attribute, in place of its own.
        l: the different values asked of every sensitive attribute, in place of its own, ascending.
        methods: the methods, with their settings.
        privacy_weight: the weight of privacy loss where the cheapest combination is to be named.
    """

    model_config = ConfigDict(defer_build=True)  # until the registries are open

    k: Annotated[tuple[int, ...], BeforeValidator(whole_numbers)] | None = None
    t: Annotated[tuple[Closeness, ...], BeforeValidator(_closenesses)] | None = None
    l: Annotated[tuple[int, ...], BeforeValidator(whole_numbers)] | None = None  # noqa: E741
    methods: Annotated[tuple[Method, ...], BeforeValidator(_methods)] | None = None
    privacy_weight: Annotated[Exact, Field(ge=0, le=1)] | None = None

    def combinations(self, spec: Spec) -> Iterator[Combination]:
        """Every combination; those that have most in common lie next to each other."""
        methods = self.methods or (spec.method,)
        # By comparing, for settings that hold a mapping have no hash.
        for method in (
            settings for at, settings in enumerate(methods) if settings not in methods[:at]
        ):
            for k in self.k or (spec.privacy.k,):
                for l_asked in self.l or (None,):
                    for further in self._further:
                        for t in self.t or (None,):
                            yield Combination(method, k, t, l_asked, further)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is tried."""
        return not (self.k or self.l or self.t or self.methods or any(self._further))

    @property
    def _further(self) -> list[dict[str, Any]]:
        """Every combination of what is asked by other models, by field."""
        tried = {model.field.name: getattr(self, model.field.name) for model in swept_models()}
        asked = {name: values for name, values in tried.items() if values}
        return [dict(zip(asked, values, strict=True)) for values in product(*asked.values())]


# The class has the field of every other model that a sweep tries several thresholds of.
if TYPE_CHECKING:
    Grid = GridBase
else:
    Grid = create_model(
        "Grid",
        __base__=GridBase,
        __doc__=GridBase.__doc__,
        __module__=__name__,
        **{
            model.field.name: (
                Annotated[tuple[model.threshold, ...], BeforeValidator(_declared(model))] | None,
                None,
            )
            for model in swept_models()
        },
    )
