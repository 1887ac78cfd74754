"""The rights to read relations on PostgreSQL: statements that a run, a script and dbt share.

A new table begins with the rights that ``alter default privileges`` gives. So what a release
replaces keeps its readers, no more and no fewer, and what is not published is taken from everybody
but its owner.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.sql.names import Relation, Sql, literal

_KEPT = "sqlanon.readers"  # a setting of the transaction, so that nothing else need be made
_ROLE = "case {0} when 0 then 'public' else quote_ident(pg_get_userbyid({0})) end"
_STOOD = f"""
            union all
            select kept.relation
            from json_to_recordset(cast(current_setting('{_KEPT}') as json))
                as kept (relation text, role text)
            where kept.role is null"""


def constants(relations: Sequence[Relation]) -> list[str]:
    """The quoted names of relations, each written as a constant."""
    return [str(literal(relation.sql)) for relation in relations]


def keep_readers(names: Sequence[str]) -> Sql:
    """The statement that notes who may read relations that are about to be replaced.

    Of each that is there it notes that it was, and the roles that may read it or a part of it.
    Rights to write are not noted: a release that somebody changes is none any more.

    Args:
        names: of the relations, as constants; some may not be there.
    """
    return Sql(f"""select set_config('{_KEPT}', coalesce((
    with replaced as (
        select named.name, pg_class.oid, pg_class.relowner, pg_class.relacl
        from unnest({_array(names)}) as named (name)
        inner join pg_class on pg_class.oid = to_regclass(named.name)
    )
    select cast(json_agg(json_build_object(
        'relation', given.name,
        'part', given.part,
        'role', {_ROLE.format("given.grantee")},
        'passes', given.is_grantable
    )) as text)
    from (
        select name, null as part, cast(null as oid) as grantee, false as is_grantable
        from replaced
        union all
        select replaced.name, null, entry.grantee, entry.is_grantable
        from replaced
        cross join lateral aclexplode(replaced.relacl) as entry
        where entry.privilege_type = 'SELECT' and entry.grantee <> replaced.relowner
        union all
        select replaced.name, pg_attribute.attname, entry.grantee, entry.is_grantable
        from replaced
        inner join pg_attribute on pg_attribute.attrelid = replaced.oid
        cross join lateral aclexplode(pg_attribute.attacl) as entry
        where entry.privilege_type = 'SELECT' and entry.grantee <> replaced.relowner
    ) as given
), '[]'), true);""")


def settle_rights(withheld: Sequence[str]) -> Sql:
    """The statement that gives what was replaced its readers, and only the owner what is withheld.

    Args:
        withheld: the names of relations, as constants; some may not be there.
    """
    loop = _withholding(f"select unnest({_array(withheld)}){_STOOD}")
    return Sql(f"""do $sqlanon$
declare
    held regclass;
    other text;
    reader record;
begin
{loop}
    for reader in
        select kept.*
        from json_to_recordset(cast(current_setting('{_KEPT}') as json))
            as kept (relation text, part text, role text, passes boolean)
        where
            kept.role is not null
            and (
                kept.part is null
                or exists (
                    select from pg_attribute
                    where attrelid = to_regclass(kept.relation) and attname = kept.part
                        and not attisdropped
                )
            )
    loop
        execute concat(
            'grant select', ' (' || quote_ident(reader.part) || ')', ' on table ', reader.relation,
            ' to ', reader.role, case when reader.passes then ' with grant option' end
        );
    end loop;
end
$sqlanon$;""")


def withhold(names: Sequence[str]) -> Sql:
    """The statement that takes every right on relations from everybody but their owner.

    Args:
        names: of the relations, as constants.
    """
    loop = _withholding(f"select unnest({_array(names)})")
    return Sql(f"""do $sqlanon$
declare
    held regclass;
    other text;
begin
{loop}
end
$sqlanon$;""")


def _withholding(names: str) -> str:
    """The loop that takes every right on relations of these names, those on columns too."""
    return f"""    for held, other in
        with named (name) as (
            {names}
        ), withheld as (
            select oid, relowner, relacl
            from pg_class
            where oid in (select to_regclass(name) from named)
        )
        select distinct cast(given.oid as regclass), {_ROLE.format("given.grantee")}
        from (
            select withheld.oid, withheld.relowner, entry.grantee
            from withheld
            cross join lateral aclexplode(withheld.relacl) as entry
            union all
            select withheld.oid, withheld.relowner, entry.grantee
            from withheld
            inner join pg_attribute on pg_attribute.attrelid = withheld.oid
            cross join lateral aclexplode(pg_attribute.attacl) as entry
        ) as given
        where given.grantee <> given.relowner
    loop
        execute concat('revoke all on table ', held, ' from ', other, ' cascade');
    end loop;"""


def _array(names: Sequence[str]) -> str:
    return f"cast(array[{', '.join(names)}] as text[])"
