"""The published model: the release and its companions, replaced at once or not at all.

Macros of the package hold what every release does alike. The published model says what must have
been built by the same invocation of dbt, and raises if a check found something. It makes the
companions in its own transaction, by hooks. Each of these is a node of dbt's graph too, a model
that reads what the hook has made.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlanon.dbt.folding import Copied
from sqlanon.dbt.jinja import PACKAGE, called_in_lines, in_jinja, text_of
from sqlanon.sql.names import filled

_BATCH = ("labelled", "label")
_NEXT = "{# next #}"  # between two hooks, where the package's macro parts them
# Published rows stay: no full refresh makes them again from records that came late.
_GROWING = (
    "'incremental', incremental_strategy='append', on_schema_change='fail', full_refresh=false"
)


@dataclass(frozen=True)
class Publishing:
    """The parts of the model that publishes a release.

    Attributes:
        release: what is copied into the release.
        numbers: by its column the type of the source's numbers, in the database that dbt runs on.
        companions: the relations that go with it, by what follows the release's name.
        for_readers: those of them that keep their readers; the others are for their owner alone.
        work: the work models, by what follows ``__work_`` in their names.
        checks: how many checks must have passed.
        facts: what is known of the run before it.
        growth: of a release that grows, what its labels mean, and the work model and column that
            have the batch of every new record; empty where each build makes the whole release.
    """

    release: Copied
    numbers: Mapping[str, str]
    companions: Mapping[str, Copied]
    for_readers: Collection[str]
    work: Sequence[str]
    checks: int
    facts: Sequence[tuple[str, str]]
    growth: Mapping[str, str]

    def text(self) -> str:
        """The text of the model: hooks that make the companions, what it refuses, what it copies.

        All that the hooks call stands between ``raw``: it is filled in when they run.
        """
        companions = f" {_NEXT}\n".join(self._companion(name) for name in self.companions)
        kind = _GROWING if self.growth else "'table'"
        grown = [f"{name}={text_of(value)}" for name, value in self.growth.items()]
        given = [_listed(self.work), _listed(self.companions), *grown]
        hooks = f"{PACKAGE}.in_turn(proof, {_listed(self.companions)})"
        return (
            f"{{%- set proof -%}}{{%- raw -%}}\n{companions}\n{{%- endraw -%}}{{%- endset -%}}\n"
            f"{{{{ config(materialized={kind}, post_hook={hooks}) }}}}\n"
            f"{_call('refuse_unchecked', given)}\n{self._release()}\n"
        )

    def _release(self) -> str:
        given = [text_of(self.release.model), _listed(self.release.columns), self._checks]
        if self.numbers:
            types = (f"{text_of(name)}: {text_of(number)}" for name, number in self.numbers.items())
            given.append(f"numbers={{{', '.join(types)}}}")
        return _call("publish", [*given, *self._grows])

    def _companion(self, name: str) -> str:
        if name == "metrics":
            return _call("publish_metrics", [self._checks, *self._grows])
        if name == "run":
            return self._run()
        copied = self.companions[name]
        given = [text_of(name), _listed(copied.columns), self._checks]
        given += [f"work={text_of(copied.model)}"] if copied.model != name else []
        given += ["by_value=true"] if copied.by_value else []
        given += ["for_readers=true"] if name in self.for_readers else []
        given += self._grows
        if not copied.ctes:
            return _call("publish_companion", given)
        call = called_in_lines("publish_companion", [*given, f"cte={text_of(copied.cte)}"])
        return f"{{%- call {call} -%}}\n{copied.ctes.rstrip()}\n{{% endcall %}}"

    def _run(self) -> str:
        rows = (f"    [{text_of(item)}, {text_of(value)}]" for item, value in self.facts)
        facts = filled(",\n".join(rows))
        grown = [f"{name}={text_of(self.growth[name])}" for name in _BATCH if name in self.growth]
        given = ", ".join([self._checks, *grown])
        return f"{{{{ {PACKAGE}.publish_run({given}, facts=[\n{in_jinja(facts)}\n]) }}}}"

    @property
    def _checks(self) -> str:
        return f"checks={self.checks}"

    @property
    def _grows(self) -> list[str]:
        return ["grows=true"] if self.growth else []


def _listed(names: Iterable[str]) -> str:
    return f"[{', '.join(map(text_of, names))}]"


def _call(macro: str, arguments: Sequence[str]) -> str:
    return f"{{{{ {called_in_lines(macro, arguments)} }}}}"


def companion_model(release: str, name: str) -> str:
    """The text of the model by which dbt's graph knows a companion of the release.

    A hook of the release makes the relation; so that it belongs to the release, dbt makes nothing
    for this model, which others read by ``ref()``.
    """
    return f"{{{{ {PACKAGE}.companion_model('{release}', '{name}') }}}}\n"
