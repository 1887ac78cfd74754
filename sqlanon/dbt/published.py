"""The published model: the release and its companions, replaced at once or not at all.

Macros of the package hold what every release does alike. The published model says what must have
been built by the same invocation of dbt, and raises if a check found something. It makes the
companions in its own transaction, by hooks. Each of these is a node of dbt's graph too, a model
that reads what the hook has made.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlanon.dbt.folding import Copied
from sqlanon.dbt.jinja import PACKAGE, in_jinja
from sqlanon.sql.names import filled

_HOOK = """\
{%- set @name@ -%}{%- raw -%}
{{ sqlanon.@make@_companion('@name@'@readers@) }}
@select@
{{ sqlanon.protect_companion('@name@'@readers@) }}
{%- endraw -%}{%- endset -%}
"""
_SHORT = 160  # characters of a call in one line
# Published rows stay: no full refresh makes them again from records that came late.
_GROWING = (
    "'incremental', incremental_strategy='append', on_schema_change='fail', full_refresh=false"
)


@dataclass(frozen=True)
class Checks:
    """The checks that must have passed.

    Attributes:
        judged: the model with what the checks found.
        count: how many checks there are.
        new: the model with the new records, where a release grows by them.
    """

    judged: str
    count: int
    new: str | None = None


def published_model(
    release: str,
    companions: Mapping[str, Copied],
    for_readers: Collection[str],
    made: Sequence[str],
    checks: Checks,
    growth: Mapping[str, str],
) -> str:
    """The text of the model that publishes a release.

    Args:
        release: the SELECT of the release from what was made, as a model's text.
        companions: the relations that go with it, by what follows the release's name.
        for_readers: those of them that keep their readers; the others are for their owner alone.
        made: the models that must have been built by the same invocation.
        checks: what must have passed.
        growth: of a release that grows, what its labels mean, and the model and column that have
            the batch of every new record; empty where each build makes the whole release.
    """
    hooks = [
        _HOOK.replace("@name@", name)
        .replace("@make@", "extend" if growth else "replace")
        .replace("@readers@", ", for_readers=true" if name in for_readers else "")
        .replace("@select@\n", checked_copy(one, checks, build=bool(growth)))
        for name, one in companions.items()
    ]
    names = ", ".join(f"'{name}'" for name in companions)
    work = filled("\n".join(f"        '{name}'," for name in made))
    grown = "".join(f",\n    {name}={json.dumps(value)}" for name, value in growth.items())
    guard = (
        f"{{{{ {PACKAGE}.refuse_unchecked(\n    [\n{work}\n    ],\n"
        f"    judged='{checks.judged}', companions=[{names}]{in_jinja(grown)}\n) }}}}\n"
    )
    kind = _GROWING if growth else "'table'"
    config = f"{{{{ config(materialized={kind}, post_hook=[{', '.join(companions)}]) }}}}\n"
    return "".join([*hooks, config, guard, release])


def checked_copy(
    copied: Copied,
    checks: Checks,
    numbers: Mapping[str, str] | None = None,
    build: bool = False,
) -> str:
    """A SELECT that copies what was made once every check has passed, as a model's text.

    Args:
        copied: what is copied.
        checks: what must have passed.
        numbers: by its column the type of the source's numbers, in the database that dbt runs on.
        build: whether each row says which build it is of.
    """
    columns = in_jinja(json.dumps(list(copied.columns), ensure_ascii=False))
    given = [copied.candidate, columns, f"ref('{checks.judged}')", str(checks.count)]
    given += [f"made={copied.made}"] if copied.made else []
    given += [f"rows={json.dumps(copied.rows)}"] if copied.rows else []
    given += [f"numbers={in_jinja(json.dumps(numbers, ensure_ascii=False))}"] if numbers else []
    given += [f"new=ref('{checks.new}')"] if checks.new else []
    given += ["by_value=true"] if copied.by_value else []
    given += ["build=true"] if build else []
    arguments = ", ".join(given)
    if len(arguments) > _SHORT:
        arguments = "\n" + filled("    " + ",\n    ".join(given)) + "\n"
    return f"{copied.ctes}{{{{ {PACKAGE}.checked_copy({arguments}) }}}}\n"


def companion_model(release: str, name: str) -> str:
    """The text of the model by which dbt's graph knows a companion of the release.

    A hook of the release makes the relation; so that it belongs to the release, dbt makes nothing
    for this model, which others read by ``ref()``.
    """
    config = f"materialized='{PACKAGE}_companion', of='{release}', contract={{'enforced': false}}"
    return (
        f"{{{{ config({config}) }}}}\n"
        f"select * from {{{{ {PACKAGE}.companion(ref('{release}'), '{name}') }}}}\n"
    )
