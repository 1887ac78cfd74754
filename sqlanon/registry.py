"""What a spec may name that is known higher up: forms, methods, metrics, publications."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Annotated, Any, TypeVar

from pydantic import Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

Entry = TypeVar("Entry")


@dataclass(frozen=True)
class _WhenFirstUsed:
    """A type that is made when pydantic first needs it: by then the registry is open."""

    schema: Callable[[GetCoreSchemaHandler], CoreSchema]

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return self.schema(handler)


class Registry(dict[str, Entry]):
    """Rules or settings by name, in order, known from the moment the registry is opened.

    The spec's models are defined before what they may name. So they hold a registry that is empty
    at first; `sqlanon.registries` opens all of them, once, and nothing is added later.

    Args:
        of: what is in it, in words.
    """

    def __init__(self, of: str) -> None:
        super().__init__()
        self.of = of

    def open(self, entries: Iterable[tuple[str, Entry]]) -> None:
        """Fill it; the first entry is the one that a spec means which names none.

        Raises:
            RuntimeError: if it is open already, or two entries have one name.
        """
        if self:
            raise RuntimeError(f"the registry of {self.of} is open already")
        for name, entry in entries:
            if name in self:
                raise RuntimeError(f"two {self.of} are called {name!r}")
            self[name] = entry

    @property
    def first(self) -> str:
        """The name that a spec means which names none."""
        return next(iter(self._known()))

    @property
    def one_name(self) -> _WhenFirstUsed:
        """What pydantic reads as one of the names."""
        return _WhenFirstUsed(lambda _: core_schema.literal_schema(list(self._known())))

    @property
    def one_entry(self) -> _WhenFirstUsed:
        """What pydantic reads as one of the entries, which are models, told apart by ``name``."""

        def schema(handler: GetCoreSchemaHandler) -> CoreSchema:
            union = reduce(or_, self._known().values())
            return handler.generate_schema(Annotated[union, Field(discriminator="name")])

        return _WhenFirstUsed(schema)

    def _known(self) -> Registry[Entry]:
        if not self:
            raise RuntimeError(f"the registry of {self.of} is not open yet")
        return self
