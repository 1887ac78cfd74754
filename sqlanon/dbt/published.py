"""The published model: the release and what stands beside it, replaced at once or not at all.

dbt builds what it is asked to: without the checks, with tables of yesterday, or with empty ones.
So the model says itself what must have been built by the same invocation of dbt, raises if a check
found something, and makes the relations beside the release in its own transaction, by hooks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlanon.sql.names import Sql
from sqlanon.sql.rights import keep_readers, settle_rights, withhold

_GUARD = """\
{%- for name in made -%}{%- do ref(name) -%}{%- endfor -%}
{%- if execute and flags.WHICH not in ('compile', 'generate', 'show') -%}
{%- set left_out = [] -%}
{%- for name in made if 'model.' ~ model.package_name ~ '.' ~ name not in selected_resources -%}
{%- do left_out.append(name) -%}
{%- endfor -%}
{%- set older = load_relation(this) -%}
{%- set others = [] -%}
{%- for name in (@beside@) if not older -%}
{%- set beside = adapter.get_relation(this.database, this.schema, this.identifier ~ "__" ~ name) -%}
{%- if beside -%}{%- do others.append(beside | string) -%}{%- endif -%}
{%- endfor -%}
{%- set emptied = flags.EMPTY or flags.SAMPLE -%}
{%- if left_out -%}
{{ exceptions.raise_compiler_error(
    model.name ~ " is published from what the same invocation of dbt has made and checked, and "
    ~ "this one leaves out " ~ left_out[:3] | join(", ")
    ~ (" and " ~ (left_out | length - 3) ~ " more" if left_out | length > 3 else "")
    ~ ": nothing was published; run all of it, as by --select +" ~ model.name
) }}
{%- elif others -%}
{{ exceptions.raise_compiler_error(
    others | join(", ") ~ " would be replaced and stands beside no " ~ model.name
    ~ ": drop it yourself, or give the release another name"
) }}
{%- elif emptied and older and run_query("select 1 from " ~ older ~ " limit 1") | length > 0 -%}
{{ exceptions.raise_compiler_error(
    model.name ~ " holds a release, and --empty or --sample would put a part of it in its place: "
    ~ "nothing was published"
) }}
{%- endif -%}
{%- set refusals = ref('@refusals@') -%}
{%- set found = run_query("select message from " ~ refusals ~ " where message is not null") -%}
{%- if found | length > 0 -%}
{{ exceptions.raise_compiler_error(model.name ~ ": " ~ found.columns[0].values() | join("; ")) }}
{%- endif -%}
{%- endif -%}
"""
_HOOK = """\
{%- set @name@ -%}{%- raw -%}
{%- set beside = this.incorporate(path={"identifier": this.identifier ~ "__@name@"}) -%}
@before@drop table if exists {{ beside }} cascade;
create table {{ beside }} as
@select@@after@
{%- endraw -%}{%- endset -%}
"""


@dataclass(frozen=True)
class Beside:
    """A relation that a hook makes beside the release.

    Attributes:
        select: its SELECT, as a model's text.
        rights: the statements before it is replaced and after it is made, of who may read it.
    """

    select: str
    rights: tuple[Sql, Sql] = (Sql(""), Sql(""))


def rights_of(for_readers: bool) -> tuple[Sql, Sql]:
    """The statements about rights for PostgreSQL: it keeps its readers, or has none at all."""
    name = ["'{{ beside }}'"]
    if for_readers:
        return Sql(f"{keep_readers(name)}\n"), Sql(f";\n{settle_rights([])}")
    return Sql(""), Sql(f";\n{withhold(name)}")


def published_model(
    select: str, beside: Mapping[str, Beside], made: Sequence[str], refusals: str, mark: str
) -> str:
    """The text of the model that publishes a release.

    Args:
        select: the SELECT of the release from what was made, as a model's text.
        beside: the relations beside it, by what follows the release's name.
        made: the models that must have been built by the same invocation.
        refusals: the one of them with what the checks found.
        mark: the comments at the head of the file.
    """
    names = "".join(f"\n    '{name}'," for name in made)
    hooks = [
        _HOOK.replace("@name@", name)
        .replace("@before@", one.rights[0])
        .replace("@after@", one.rights[1])
        .replace("@select@", one.select.strip())
        for name, one in beside.items()
    ]
    names_beside = ", ".join(f"'{name}'" for name in beside)
    guard = _GUARD.replace("@refusals@", refusals).replace("@beside@", names_beside)
    config = f"{{{{ config(materialized='table', post_hook=[{', '.join(beside)}]) }}}}\n"
    needed = f"{{%- set made = [{names}\n] -%}}\n"
    return "".join([mark, *hooks, needed, guard, config, select])
