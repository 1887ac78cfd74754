"""Whose a relation is, in a script: what it replaces bears a mark, and what it makes gets one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlanon.plan import StepRecord
from sqlanon.sql import Relation, literal, quoted
from sqlanon.sql.products import product_of

_HEADING = "-- Nothing is replaced but a release of sqlanon's: its relations bear a mark."
_REFUSAL = (
    "exists and is no release of sqlanon's (it bears no mark of one): choose another name for the "
    "release, or drop it yourself"
)


@dataclass(frozen=True)
class Marks:
    """The marks of a script's release.

    Attributes:
        prefix: how the comment on a release's relations begins, before the release's number.
        number: this release's number.
        run: the relation that records it.
        item: as what it is recorded.
    """

    prefix: str
    number: str
    run: Relation
    item: str

    @property
    def text(self) -> str:
        """The comment on the release's relations."""
        return self.prefix + self.number

    def commenting(self, record: StepRecord, dialect: str) -> str:
        """The statement that marks a published relation, on a line of its own; or nothing."""
        if not record.how.published or not product_of(dialect).engine:  # elsewhere never tried
            return ""
        name = quoted(record.relation, dialect)
        return f"\ncomment on {record.how.kind} {name} is {literal(self.text)};"

    def guard(self, relations: Sequence[Relation], dialect: str) -> str:
        """The statements that refuse what is there and not ours, where the dialect can say so."""
        if dialect == "duckdb":
            return f"{_HEADING}\n{self._in_duckdb(relations)}"
        if dialect == "postgres":
            return f"{_HEADING}\n{self._in_postgres(relations)}"
        return ""

    def _in_duckdb(self, relations: Sequence[Relation]) -> str:
        recorded = f"select max(value) as number from {self.run.sql} where item = {self._item}"
        names = ", ".join(str(literal(one.name.lower())) for one in relations)
        same = "= {0} || recorded.number" if self.run in relations else "like {0} || '%'"
        ours = f"found.comment {same.format(literal(self.prefix))}"
        return f"""set variable sqlanon_recorded = (
    select case count(*) when 0 then 'select null as number' else {literal(recorded)} end
    from duckdb_tables()
    where {_place(self.run)} and lower(table_name) = {literal(self.run.name.lower())}
);
select error('release: a relation ' || found.name || {literal(f" {_REFUSAL}")}) as refused
from (
    select database_name, schema_name, table_name as name, comment from duckdb_tables()
    union all
    select database_name, schema_name, view_name, comment from duckdb_views()
) as found
cross join query(getvariable('sqlanon_recorded')) as recorded
where {_place(relations[0])} and lower(found.name) in ({names})
    and not coalesce({ours}, false);
reset variable sqlanon_recorded;"""

    def _in_postgres(self, relations: Sequence[Relation]) -> str:
        recorded = f"select max(value) from {self.run.sql} where item = {self._item}"
        names = ", ".join(str(literal(one.sql)) for one in relations)
        same = "= {0} || recorded" if self.run in relations else "like {0} || '%'"
        ours = f"obj_description(found, 'pg_class') {same.format(literal(self.prefix))}"
        message = f"'release: a relation ' || found || {literal(f' {_REFUSAL}')}"
        return f"""do $sqlanon$
declare
    name text;
    found regclass;
    recorded text;
begin
    if obj_description(to_regclass({literal(self.run.sql)}), 'pg_class')
        like {literal(self.prefix)} || '%' then
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

    @property
    def _item(self) -> str:
        return literal(self.item)


def _place(relation: Relation) -> str:
    """Where DuckDB looks for a relation; a schema's name may be that of a database instead."""
    here = "database_name = current_database() and schema_name = "
    if not relation.path:
        return f"{here}current_schema()"
    place = [str(literal(part)) for part in relation.path]
    if len(place) > 1:
        return f"database_name = {place[-2]} and schema_name = {place[-1]}"
    return f"({here}{place[0]} or database_name = {place[0]} and schema_name = 'main')"
