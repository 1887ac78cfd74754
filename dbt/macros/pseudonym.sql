{# A keyed pseudonym inside any model: HMAC-SHA-256 (RFC 2104) of a value's text in hexadecimal digits, that which
   `sqlanon run` gives by the same key. NULL stays NULL.

   The key stands in a relation of one row that nobody else may read. dbt knows the relation's name alone: the key is
   in no SQL, and so in none of target/, the logs, or the database's history of queries. A key that is given as text,
   an environment variable or a var() would be in all of these, and is refused.

   column: of text, whole numbers or dates, whose text is the same everywhere; key: the relation that holds the
   key, by source() or ref(); key_column: its column. #}
{% macro pseudonym(column, key, key_column="key") -%}
{%- if key is string or key is number or key is none -%}
{{ exceptions.raise_compiler_error(
    "sqlanon: the key of a pseudonym must be the relation that holds it, source('…', '…') or ref('…'): as text it "
    ~ "would stand in target/, in the logs and in the database's history of queries"
) }}
{%- endif -%}
{{ return(adapter.dispatch("pseudonym", "sqlanon")(
    sqlanon.ident(column), sqlanon.key_of(key, sqlanon.ident(key_column))
)) }}
{%- endmacro %}

{# The key's text, without the line end of a file; empty where there is none. #}
{% macro key_of(key, column) -%}
{{ return("(select coalesce(max(rtrim(held." ~ column ~ ", chr(10) || chr(13))), '') as text, count(*) as keys from "
    ~ sqlanon.nested(key) ~ " as held) as secret") }}
{%- endmacro %}

{# What is refused of a key when it is read, as a condition and a sentence. #}
{% macro key_fault(octets) -%}
{{ return("case when secret.keys <> 1 then 'the relation of the key must have one row' when " ~ octets
    ~ " < 32 then 'the key must have at least 32 bytes, drawn at random' end") }}
{%- endmacro %}

{% macro default__pseudonym(name, secret) -%}
{{ exceptions.raise_compiler_error("sqlanon: pseudonym is not offered on " ~ target.type ~ ": sqlanon run gives them") }}
{%- endmacro %}

{% macro duckdb__pseudonym(name, secret) -%}
sha256(
    {{ sqlanon.duckdb_pad(secret, 92) }} || unhex(sha256(
        {{ sqlanon.duckdb_pad(secret, 54) }} || encode(cast({{ name }} as varchar))
    ))
)
{%- endmacro %}

{# The key as HMAC mixes it, 64 bytes: each is combined with the same byte of a pad. #}
{% macro duckdb_pad(secret, pad) -%}
(
    select unhex(array_to_string([
        printf('%02x', xor(
            coalesce(try_cast(nullif('0x' || block.digits[2 * place + 1 : 2 * place + 2], '0x') as integer), 0), {{ pad }}
        )) for place in range(64)
    ], ''))
    from (
        select case
            when {{ sqlanon.key_fault("octet_length(encode(secret.text))") }} is not null
                then error({{ sqlanon.key_fault("octet_length(encode(secret.text))") }})
            when octet_length(encode(secret.text)) > 64 then sha256(secret.text)
            else hex(encode(secret.text))
        end as digits
        from {{ secret }}
    ) as block
)
{%- endmacro %}

{% macro postgres__pseudonym(name, secret) -%}
encode(sha256(
    {{ sqlanon.postgres_pad(secret, 92) }} || sha256(
        {{ sqlanon.postgres_pad(secret, 54) }} || convert_to(cast({{ name }} as text), 'UTF8')
    )
), 'hex')
{%- endmacro %}

{% macro postgres_pad(secret, pad) -%}
(
    select decode(string_agg(
        lpad(to_hex((case when place < octet_length(block.bytes) then get_byte(block.bytes, place) else 0 end) # {{ pad }}), 2, '0'),
        '' order by place
    ), 'hex')
    from (
        select case
            -- The cast of what is no number ends the statement with its sentence.
            when {{ sqlanon.key_fault("octet_length(secret.text)") }} is not null
                then decode(cast(cast({{ sqlanon.key_fault("octet_length(secret.text)") }} as integer) as text), 'hex')
            when octet_length(secret.text) > 64 then sha256(convert_to(secret.text, 'UTF8'))
            else convert_to(secret.text, 'UTF8')
        end as bytes
        from {{ secret }}
    ) as block
    cross join generate_series(0, 63) as place
)
{%- endmacro %}

{# Redshift is found as PostgreSQL, and has no bytes of this kind. #}
{% macro redshift__pseudonym(name, secret) -%}
{{ sqlanon.default__pseudonym(name, secret) }}
{%- endmacro %}
