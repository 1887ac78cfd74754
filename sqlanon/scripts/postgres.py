"""The part of a script that only PostgreSQL has: refusals, and how it fills a work table again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlanon.plan import Materialization
from sqlanon.scripts import syntax
from sqlanon.scripts.syntax import Marks, Syntax
from sqlanon.sql.names import Relation, literal
from sqlanon.sql.rights import constants, keep_readers, settle_rights

_OWN = "cast('pg_catalog' as regnamespace)"
_READ_RIGHT = r"""select pg_temp.refuse('standard_conforming_strings must be on') as refused
where pg_catalog.length('\\') operator(pg_catalog.<>) 2;"""  # of what reads the script at once
_SAFE_PATH = "set local search_path = pg_catalog, pg_temp;"


class PostgresSyntax(Syntax):
    """How psql reads a script."""

    def standing_in(self, relations: Sequence[Relation]) -> Iterator[str]:
        """No function or operator of the user's is called, and text is read as it is written."""
        yield f"{syntax.HEADING}\n{_standing_in(relations)}\n{_READ_RIGHT}"

    def foreign(self, marks: Marks, relations: Sequence[Relation]) -> Iterator[str]:
        """A relation of ours bears a mark, and the number of the release that is recorded."""
        yield f"{syntax.OWN_HEADING}\n{_foreign(marks, relations)}"

    def readers(self, relations: Sequence[Relation]) -> Iterator[str]:
        """A setting of the transaction notes the roles that may read what is replaced."""
        yield f"{syntax.READERS_HEADING}\n{keep_readers(constants(relations))}"

    def rights(self, withheld: Sequence[Relation]) -> Iterator[str]:
        """Rights by default privileges are taken back, but for what is published first."""
        yield f"{syntax.RIGHTS_HEADING}\n{settle_rights(constants(withheld))}"

    def in_users_names(self, statement: str) -> str:
        """A statement between the user's search path and the server's own."""
        users = "select set_config('search_path', current_setting('sqlanon.path'), true);"
        return f"{users}\n{statement}\n{_SAFE_PATH}"

    def again(
        self, how: Materialization, name: str, making: list[str], there: bool, alike: bool
    ) -> list[str]:
        """A work table that is there is filled again, if it can be; and all are analyzed."""
        table, lines = how is Materialization.WORK_TABLE, making
        if there and alike and table:
            lines = [f"truncate {name};", f"insert into {name}", making[-1]]
        elif there:
            lines = [f"drop {how.value.removeprefix('work ')} {name} cascade;", *making]
        return [*lines, f"analyze {name};"] if table else lines


def _standing_in(relations: Sequence[Relation]) -> str:
    """The server's own functions alone, if every name is full; else the user's path, looked at.

    The functions and operators of an extension are for types of its own.
    """
    path = "pg_catalog.current_setting('search_path')"
    saved = f"select pg_catalog.set_config('sqlanon.path', {path}, true);"
    if all(relation.path for relation in relations):
        return f"{saved}\n{_SAFE_PATH}"
    return f"""{saved}
select pg_catalog.set_config(
    'sqlanon.schemas', cast(pg_catalog.current_schemas(false) as text), true
);
{_SAFE_PATH}
select pg_temp.refuse(
    concat(found.what, ' of your own has the name of one of the server''s: drop or rename it')
) as refused
from (
    select concat('the function ', proname) as what, pronamespace as place, oid
    from pg_proc
    where proname in (select proname from pg_proc where pronamespace = {_OWN})
    union all
    select concat('the operator ', oprname), oprnamespace, oid
    from pg_operator
    where oprname in (select oprname from pg_operator where oprnamespace = {_OWN})
) as found
where
    found.place in (
        select oid
        from pg_namespace
        where nspname = any(cast(current_setting('sqlanon.schemas') as name[]))
    )
    and found.place <> {_OWN}
    and found.oid not in (select objid from pg_depend where deptype = 'e');
select set_config(
    'search_path', concat(current_setting('sqlanon.path'), ', pg_temp'), true
);"""


def _foreign(marks: Marks, relations: Sequence[Relation]) -> str:
    recorded = f"select max(value) from {marks.run.sql} where item = {literal(marks.item)}"
    names = ", ".join(str(literal(relation.sql)) for relation in relations)
    same = "= {0} || recorded" if marks.run in relations else "like {0} || '%'"
    ours = f"obj_description(found, 'pg_class') {same.format(literal(marks.prefix))}"
    marked = f"obj_description(found, 'pg_class') like {literal(marks.prefix)} || '%'"
    why = f"case when {marked} then {literal(syntax.MEANWHILE)} else {literal(syntax.REFUSAL)} end"
    message = f"concat('release: a relation ', found, ' ', {why})"
    return f"""do $sqlanon$
declare
    name text;
    found regclass;
    recorded text;
begin
    if obj_description(to_regclass({literal(marks.run.sql)}), 'pg_class')
        like {literal(marks.prefix)} || '%' then
        execute {literal(recorded)} into recorded;
    end if;
    foreach name in array array[{names}] loop
        found := to_regclass(name);
        if found is not null then
            if not coalesce({ours}, false) then
                raise exception using message = {message};
            end if;
            execute 'lock table ' || name || ' in access exclusive mode';
            if to_regclass(name) <> found then
                raise exception using message = {message};
            end if;
        end if;
    end loop;
end
$sqlanon$;"""
