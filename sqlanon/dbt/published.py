"""The published model: the release and what stands beside it, replaced at once or not at all.

What every release does alike are macros of the package: it says what must have been built by the
same invocation of dbt, raises if a check found something, and makes the relations beside the
release in its own transaction, by hooks. Each of these is a node of dbt's graph too, a model that
reads what the hook has made.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.dbt.batches import Batches
from sqlanon.dbt.folding import Copied
from sqlanon.dbt.jinja import PACKAGE

_HOOK = """\
{%- set @name@ -%}{%- raw -%}
{{ sqlanon.@make@_beside('@name@'@readers@) }}
@select@
{{ sqlanon.settle_beside('@name@'@readers@) }}
{%- endraw -%}{%- endset -%}
"""
# What is published stays: no full refresh makes it anew from records that came late.
_GROWING = (
    "'incremental', incremental_strategy='append', on_schema_change='fail', full_refresh=false"
)


@dataclass(frozen=True)
class Checks:
    """What must have passed.

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
    beside: Mapping[str, Copied],
    for_readers: Collection[str],
    made: Sequence[str],
    checks: Checks,
    batches: Batches | None,
) -> str:
    """The text of the model that publishes a release.

    Args:
        release: the SELECT of the release from what was made, as a model's text.
        beside: the relations beside it, by what follows the release's name.
        for_readers: those of them that keep their readers; the others are for their owner alone.
        made: the models that must have been built by the same invocation.
        checks: what must have passed.
        batches: by which labels the release grows, if it does.
    """
    hooks = [
        _HOOK.replace("@name@", name)
        .replace("@make@", "replace" if batches is None else "add")
        .replace("@readers@", ", for_readers=true" if name in for_readers else "")
        .replace("@select@", checked_copy(one, checks, build=batches is not None))
        for name, one in beside.items()
    ]
    names = ", ".join(f"'{name}'" for name in beside)
    work = "".join(f"\n    '{name}'," for name in made)
    meaning = "" if batches is None else f",\n    meaning='{batches.meaning}'"
    guard = (
        f"{{{{ {PACKAGE}.refuse_unchecked(\n    [{work}\n    ],\n"
        f"    judged='{checks.judged}', proof=[{names}]{meaning}\n) }}}}\n"
    ).replace("\n    '", "\n        '")
    kind = "'table'" if batches is None else _GROWING
    config = f"{{{{ config(materialized={kind}, post_hook=[{', '.join(beside)}]) }}}}\n"
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
    columns = _in_jinja(list(copied.columns))
    given = [copied.candidate, columns, f"ref('{checks.judged}')", str(checks.count)]
    given += [f"made={copied.made}"] if copied.made else []
    given += [f"rows={json.dumps(copied.rows)}"] if copied.rows else []
    given += [f"numbers={_in_jinja(numbers)}"] if numbers else []
    given += [f"new=ref('{checks.new}')"] if checks.new else []
    given += ["by_value=true"] if copied.by_value else []
    given += ["build=true"] if build else []
    arguments = "".join(f"    {one},\n" for one in given).removesuffix(",\n")
    return f"{copied.ctes}{{{{ {PACKAGE}.checked_copy(\n{arguments}\n) }}}}\n"


def proof_model(release: str, name: str) -> str:
    """The text of the model by which dbt's graph knows a relation beside the release.

    A hook of the release makes the relation; so that it belongs to the release, dbt makes nothing
    for this model, which others read by ``ref()``.
    """
    config = f"materialized='{PACKAGE}_beside', of='{release}', contract={{'enforced': false}}"
    return (
        f"{{{{ config({config}) }}}}\n"
        f"select * from {{{{ {PACKAGE}.beside(ref('{release}'), '{name}') }}}}\n"
    )


def _in_jinja(value: Any) -> str:
    """Texts as constants of Jinja; braces in them begin no tag."""
    return re.sub(r"\{(?=[{%#])", r"\\u007b", json.dumps(value, ensure_ascii=False))
