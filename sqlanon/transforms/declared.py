"""The fields of a spec for the transforms of a column, made of ``TRANSFORMS``."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self, get_args

from pydantic import BaseModel, BeforeValidator, Field, create_model, model_validator

from sqlanon.errors import nearest
from sqlanon.fields import Declared, Key, KeySource
from sqlanon.transforms.joint import JointTransform
from sqlanon.transforms.kinds import TRANSFORMS
from sqlanon.transforms.transform import Transform

_NAMES = ", ".join(one.name for one in TRANSFORMS)


class DeclaredBase(Declared):
    """One transform with its setting."""

    @model_validator(mode="before")
    @classmethod
    def _is_one(cls, value: Any) -> Any:
        if isinstance(value, dict):
            value = {name: setting for name, setting in value.items() if setting is not None}
        names = {one.name for one in TRANSFORMS}
        if isinstance(value, dict) and len(value) > 1 and names >= set(value):
            each = ", ".join(f"{{{name}: …}}" for name in value)
            raise ValueError(f"several transforms are a list, done in its order: [{each}]")
        if isinstance(value, dict) and len(value) == 1 and not names >= set(value):
            raise ValueError(f"unknown key; {nearest(str(*value), names)}")
        if not isinstance(value, cls) and not (
            isinstance(value, dict) and len(value) == 1 and names >= set(value)
        ):
            raise ValueError(f"it must be one of {_NAMES}, such as {{round: 5}}; several as a list")
        return value

    def _given(self) -> Transform | None:
        return next((one for one in TRANSFORMS if getattr(self, one.name) is not None), None)

    @property
    def transform(self) -> Transform:
        """Which it is."""
        found = self._given()
        assert found is not None  # noqa: S101 - it was checked
        return found

    @property
    def setting(self) -> Any:
        """The setting that it was given."""
        return getattr(self, self.transform.name)

    @property
    def key(self) -> Key | None:
        """Where its key is, if it is drawn by one."""
        return self.transform.key(self.setting)

    @property
    def epsilon(self) -> Fraction | None:
        """The ε of its local differential privacy, if it has one."""
        return self.transform.epsilon(self.setting)

    def with_keys_from(self, folder: Path) -> Self:
        """The same, where a key's relative path counts from a folder."""
        if not isinstance(self.key, KeySource):
            return self
        setting = self.setting.model_copy(update={"key": self.key.located(folder)})
        return self.model_copy(update={self.transform.name: setting})

    @property
    def says(self) -> str:
        """Its effect, in a few words."""
        return self.transform.says(self.setting)


# `TRANSFORMS` lists what may be asked for.
if TYPE_CHECKING:
    DeclaredTransform = DeclaredBase
else:
    DeclaredTransform = create_model(
        "DeclaredTransform",
        __base__=DeclaredBase,
        __doc__=DeclaredBase.__doc__,
        __module__=__name__,
        **{
            one.name: (one.setting | None, Field(default=None, description=one.about))
            for one in TRANSFORMS
        },
    )


def setting_at(settings: Sequence[str]) -> type[BaseModel] | None:
    """The mapping that a place within a declaration lies in, if it is a transform's setting.

    Args:
        settings: the place, from the name of a column's field on.
    """
    if len(settings) < 4 or settings[0] != "transform":
        return None
    if settings[3:-1] == ["key"]:
        return KeySource
    found = next((one.setting for one in TRANSFORMS if one.name == settings[2]), None)
    model = get_args(found)[0] if get_args(found) else None
    return model if isinstance(model, type) and issubclass(model, BaseModel) else None


Several = tuple[DeclaredTransform | JointTransform, ...]


def listed(value: Any) -> Any:
    """Let one stand for a list of one."""
    return value if isinstance(value, list | tuple) else [value]


Transforms = Annotated[tuple[DeclaredTransform, ...], BeforeValidator(listed), Field(min_length=1)]
