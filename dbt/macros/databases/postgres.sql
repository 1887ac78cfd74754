{# Written from sqlanon/sql/products.py; change that, and write this anew. #}
{% macro postgres__at_once() -%} {{ return(true) }} {%- endmacro %}

{% macro postgres__double() -%} double precision {%- endmacro %}

{% macro postgres__holds(said) -%} cast({{ said }} as boolean) {%- endmacro %}

{% macro postgres__joined(text) -%} string_agg({{ text }}, '; ') {%- endmacro %}

{% macro postgres__cased(name) -%} {{ return(name) }} {%- endmacro %}

{% macro postgres__settle_work_model() -%}
{{ config(pre_hook=[
    "set local enable_nestloop = off",
    "set local jit = off"
], post_hook="{{ sqlanon.withhold(this) }}", grants={"select": []}) }}
{%- endmacro %}

{% macro postgres__refuse_logarithms(test) -%}
{%- if execute -%}
{{ exceptions.raise_compiler_error("sqlanon: the test " ~ test ~ " is not offered on PostgreSQL") }}
{%- endif -%}
{%- endmacro %}

{% macro postgres__withhold(relation) -%}
do $sqlanon$
declare
    held regclass;
    other text;
begin
    for held, other in
        with named (name) as (
            select unnest(cast(array['{{ relation }}'] as text[]))
        ), withheld as (
            select oid, relowner, relacl
            from pg_class
            where oid in (select to_regclass(name) from named)
        )
        select distinct cast(given.oid as regclass), case given.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(given.grantee)) end
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
    end loop;
end
$sqlanon$;
{%- endmacro %}

{% macro postgres__keep_readers(relation) -%}
select set_config('sqlanon.readers', coalesce((
    with replaced as (
        select named.name, pg_class.oid, pg_class.relowner, pg_class.relacl
        from unnest(cast(array['{{ relation }}'] as text[])) as named (name)
        inner join pg_class on pg_class.oid = to_regclass(named.name)
    )
    select cast(json_agg(json_build_object(
        'relation', given.name,
        'part', given.part,
        'role', case given.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(given.grantee)) end,
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
), '[]'), true);
{%- endmacro %}

{% macro postgres__settle_readers() -%}
do $sqlanon$
declare
    held regclass;
    other text;
    reader record;
begin
    for held, other in
        with named (name) as (
            select unnest(cast(array[] as text[]))
            union all
            select kept.relation
            from json_to_recordset(cast(current_setting('sqlanon.readers') as json))
                as kept (relation text, role text)
            where kept.role is null
        ), withheld as (
            select oid, relowner, relacl
            from pg_class
            where oid in (select to_regclass(name) from named)
        )
        select distinct cast(given.oid as regclass), case given.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(given.grantee)) end
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
    end loop;
    for reader in
        select kept.*
        from json_to_recordset(cast(current_setting('sqlanon.readers') as json))
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
$sqlanon$;
{%- endmacro %}
