"""The names in a spec that higher layers define: forms, methods, metrics, publications."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from operator import or_
from threading import RLock
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

Entry = TypeVar("Entry")
_openers: list[Callable[[], None]] = []  # at most one, which is called at most once
_lock = RLock()


def opened_by(opener: Callable[[], None]) -> None:
    """Name the function that opens all registries; the first reader of any registry calls it."""
    _openers[:] = [opener]


def open_all() -> None:
    """Open all registries now, if they are not open."""
    with _lock:
        if not _openers:
            return
        opener = _openers.pop()  # first, since it may import what reads a registry
        try:
            opener()
        except BaseException:
            _openers.append(opener)  # an interrupted import: the next reader tries again
            raise


class _WhenFirstUsed:
    """A type that is made when pydantic first needs it: by then the registry can be opened."""

    def __init__(self, schema: Callable[[GetCoreSchemaHandler], CoreSchema]) -> None:
        self.schema = schema

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return self.schema(handler)


class Registry(Mapping[str, Entry]):
    """Rules or settings by name, in order, known from the moment the registry is opened.

    The spec's models are defined before what they may name. So they hold a registry that is empty
    at first; `sqlanon.registries` opens all of them, once, when the first of them is read, and
    nothing is added later.

    Args:
        of: what is in it, in words.
    """

    def __init__(self, of: str) -> None:
        self.of = of
        self._entries: dict[str, Entry] = {}

    def open(self, entries: Iterable[tuple[str, Entry]]) -> None:
        """Fill it; the first entry is the one that a spec means which names none.

        Raises:
            RuntimeError: if it is open already, or two entries have one name.
        """
        if self._entries:
            raise RuntimeError(f"the registry of {self.of} is open already")
        found: dict[str, Entry] = {}
        for name, entry in entries:
            if name in found:
                raise RuntimeError(f"two {self.of} are called {name!r}")
            found[name] = entry
        self._entries = found

    def __getitem__(self, name: str) -> Entry:
        return self._known()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known())

    def __len__(self) -> int:
        return len(self._known())

    @property
    def first(self) -> str:
        """The name that a spec means which names none."""
        return next(iter(self._known()))

    @property
    def one_name(self) -> _WhenFirstUsed:
        """The type by which pydantic reads one of the names."""

        def schema(_: GetCoreSchemaHandler) -> CoreSchema:
            from pydantic_core import core_schema

            return core_schema.literal_schema(list(self))

        return _WhenFirstUsed(schema)

    @property
    def one_entry(self) -> _WhenFirstUsed:
        """The type by which pydantic reads one of the models, which ``name`` distinguishes."""

        def schema(handler: GetCoreSchemaHandler) -> CoreSchema:
            from pydantic import Field

            union = reduce(or_, self.values())
            return handler.generate_schema(Annotated[union, Field(discriminator="name")])

        return _WhenFirstUsed(schema)

    def _known(self) -> dict[str, Entry]:
        if not self._entries:
            open_all()
        if not self._entries:
            raise RuntimeError(f"the registry of {self.of} is not open yet")
        return self._entries
