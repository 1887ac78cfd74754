"""The thresholds that a spec may ask for: fields made of ``MODELS``, as pydantic reads them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, create_model, model_validator

from sqlanon.common.fields import Declared, Whole
from sqlanon.privacy import MODELS
from sqlanon.privacy.model import LEVEL, PrivacyModel

_NUMBERS = (int, float, str, Fraction)


def fields_of(per: str) -> list[str]:
    """The names of the fields of all models of the release, or of each sensitive attribute."""
    return list(dict.fromkeys(model.field.name for model in MODELS if model.per == per))


def kinds_of_attributes() -> list[str]:
    """The kinds of attributes that the models of sensitive attributes are of, each once."""
    return list(dict.fromkeys(model.per for model in MODELS if model.is_of_attribute))


def kinds_for_all() -> list[str]:
    """The kinds of models that a spec may ask for at once, of everything: they name no column."""
    naming = {model.per for model in MODELS if model.column is not None}
    return ["release", *(per for per in kinds_of_attributes() if per not in naming)]


def swept_models() -> tuple[PrivacyModel, ...]:
    """The models other than t and l of whose thresholds a sweep tries several."""
    return tuple(model for model in MODELS if model.swept)


def models_of(field: str) -> list[PrivacyModel]:
    """The models that a field asks for; a bare threshold is the first one's."""
    return [model for model in MODELS if model.field.name == field]


def is_bare(model: PrivacyModel) -> bool:
    """Whether its field, without a form, asks for it."""
    return models_of(model.field.name)[0] is model and not model.is_of_covered


def declaring(model: PrivacyModel, threshold: Any) -> Any:
    """The value of a model's field where nothing but this threshold is asked for."""
    if model.form is None:
        return threshold
    return _CLASSES[model.field.name](**{model.form: threshold})


def thresholds(*per: str) -> dict[str, Any]:
    """The fields of all models of the release, or of each sensitive attribute, for pydantic.

    ``k`` is left out: every method asks for it, and it is declared next to them.
    """
    found: dict[str, Any] = {}
    for name in [name for kind in per for name in fields_of(kind) if name != "k"]:
        models = models_of(name)
        about = "; ".join(f"{model.title}: {model.says.replace('`', '')}" for model in models)
        asked = models[0].threshold if models[0].form is None else _FORMS[name]
        found[name] = (asked | None, Field(default=None, description=about))
    return found


def mapping_of(title: str) -> str | None:
    """The form of a mapping of thresholds, in words, by the mapping's name; None for another."""
    for name, forms in _CLASSES.items():
        if forms.__name__ == title:
            return _mapping(models_of(name))
    for model in MODELS:
        if not model.numeric and not model.with_level and model.threshold.__name__ == title:
            return f"it must be a mapping such as {model.example}"
    return None


def mapping_at(settings: Sequence[str]) -> type[BaseModel] | None:
    """The mapping of thresholds that a place within a declaration lies in, if it does in one.

    Args:
        settings: the place, from the name of a field on.
    """
    if not settings or settings[0] not in _CLASSES or len(settings) == 1:
        return None
    for model in models_of(settings[0]):
        if model.with_level:
            continue  # its threshold has no place of its own
        if model.form == settings[1] and not model.numeric and len(settings) > 2:
            threshold: type[BaseModel] = model.threshold
            return threshold
    return _CLASSES[settings[0]]


def _mapping(models: Sequence[PrivacyModel]) -> str:
    bare = "a whole number" if models[0].whole else "a number"
    forms = ", ".join(f"{model.form}: {model.example}" for model in models if model.numeric)
    return f"it must be {bare}, or a mapping such as {{{forms}}}"


class _Forms(Declared):
    """The thresholds of one field, by form."""

    @model_validator(mode="after")
    def _level_is_beside_a_form(self) -> _Forms:
        """A level by itself asks for nothing."""
        if getattr(self, LEVEL, None) is not None:
            forms = [
                str(model.form)
                for model in MODELS
                if model.with_level and model.field.title == type(self).__name__
            ]
            if all(getattr(self, form) is None for form in forms):
                raise ValueError(f"level stands with {' or '.join(forms)}: say that, too")
        return self


def _forms(name: str) -> type[Declared]:
    """A mapping with a key for each form of a field."""
    models = models_of(name)
    keys: dict[str, Any] = {
        str(model.form): (model.threshold | None, Field(default=None, description=model.title))
        for model in models
        if not model.with_level
    }
    for model in models:
        if model.with_level:
            says = f"with {model.form}: {model.title}, at this level of the hierarchy"
            at = Annotated[Whole, Field(ge=1)] | None
            keys[LEVEL] = (at, Field(default=None, description=says))
    return create_model(models[0].field.title, __base__=_Forms, __module__=__name__, **keys)


def _bare(first: PrivacyModel) -> BeforeValidator:
    """Let a number stand for the first form."""
    kinds = (int,) if first.whole else _NUMBERS

    def read(value: Any) -> Any:
        return {first.form: value} if isinstance(value, kinds) else value

    return BeforeValidator(read)


_CLASSES = {
    model.field.name: _forms(model.field.name)
    for model in MODELS
    if model.form and not model.is_of_covered
}
globals().update({forms.__name__: forms for forms in _CLASSES.values()})  # a copy is found by name
_FORMS = {name: Annotated[forms, _bare(models_of(name)[0])] for name, forms in _CLASSES.items()}
