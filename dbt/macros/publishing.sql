{# What a release that `sqlanon compile --dbt` writes is published by. dbt builds what it is asked to: without the
   checks, with tables of yesterday, or with empty ones. So the model of a release says itself what the same
   invocation must have made and checked, and its hooks make the relations that prove it in its own transaction. #}

{# Raise unless this invocation of dbt has made and checked all that the release is copied from.

   made: the names of the work models; judged: the one of them with what the checks found; companions: what stands
   beside the release, by what follows its name; meaning: of a release that grows, what its labels must
   mean; labelled, label: the model and the column with the batch of each new record. #}
{% macro refuse_unchecked(made, judged, companions, meaning=none, labelled=none, label=none) -%}
{%- for name in made -%}{%- do ref(name) -%}{%- endfor -%}
{%- if execute and flags.WHICH not in ("compile", "generate", "show") -%}
{%- set left_out = [] -%}
{%- for name in made if "model." ~ model.package_name ~ "." ~ name not in selected_resources -%}
{%- do left_out.append(name) -%}
{%- endfor -%}
{%- set older = load_relation(this) -%}
{%- set others = [] -%}
{%- for name in companions if not older -%}
{%- set companion = adapter.get_relation(this.database, this.schema, this.identifier ~ "__" ~ name) -%}
{%- if companion -%}{%- do others.append(companion | string) -%}{%- endif -%}
{%- endfor -%}
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
{%- endif -%}
{%- do sqlanon.refuse_a_part() -%}
{%- if meaning is not none -%}{%- do sqlanon.refuse_batches(model.name, meaning, labelled, label) -%}{%- endif -%}
{%- set found = run_query("select message from " ~ ref(judged) ~ " where message is not null") -%}
{%- if found | length > 0 -%}
{{ exceptions.raise_compiler_error(model.name ~ ": " ~ found.columns[0].values() | join("; ")) }}
{%- endif -%}
{%- endif -%}
{%- endmacro %}

{# A relation that was made, as a SELECT that copies it once every check has passed. A refusal says what is
   wrong and is no boolean: the cast fails with its message, and the older relation stays as it is.

   candidate: what is copied, a relation or the quoted name of a CTE; judged: the model with what the checks
   found; count: how many checks there are; made: what must be of this invocation, if it says so; rows: which rows
   of it are copied; numbers: by its column the type of the source's numbers; new: the new
   records, without which nothing is added; build: whether each row says which build it is of. #}
{% macro checked_copy(candidate, columns, judged, count, made=none, rows=none, numbers={}, by_value=false, new=none, build=false) -%}
{%- set checks -%}
(select * from {{ sqlanon.nested(judged) }} as judged where judged.check_number is not null) as checks
{%- endset -%}
select
{%- for name in columns %}
{%- set column = "candidate." ~ sqlanon.ident(name) %}
    {{ "cast(" ~ column ~ " as " ~ numbers[name] ~ ") as " ~ sqlanon.ident(name) if name in numbers else column }}
    {{- "," if not loop.last or build }}
{%- endfor %}
{%- if build %}
    '{{ invocation_id }}' as sqlanon_invocation
{%- endif %}
from {{ sqlanon.nested(candidate) }} as candidate
where
    {{ "exists (select 1 as found from " ~ sqlanon.nested(new) ~ " as new) and " if new is not none -}}
    {{ rows ~ " and " if rows is not none }}cast(
        case
            when (select count(*) from {{ checks }}) <> {{ count }} then 'not everything was checked'
            when exists (
                select 1 as found from {{ checks }} where checks.sqlanon_invocation <> '{{ invocation_id }}'
            ) then 'what was checked is of another invocation'
{%- if made is not none %}
            when exists (
                select 1 as found from {{ sqlanon.nested(made) }} as made
                where made.sqlanon_invocation <> '{{ invocation_id }}'
            ) then 'what was made is of another invocation'
{%- endif %}
{%- for name in columns if name in numbers %}
{%- set column = "candidate." ~ sqlanon.ident(name) %}
            when cast({{ column }} as {{ numbers[name] }}) <> {{ column }}
                then {{ sqlanon.literal("a number of " ~ name ~ " does not fit its type") }}
{%- endfor %}
            else (select coalesce(max(checks.message), 'true') from {{ checks }})
        end as boolean
    )
{%- if by_value %}
order by {% for name in columns %}{{ loop.index }}{{ ", " if not loop.last }}{% endfor %}
{%- endif -%}
{%- endmacro %}

{# A relation in brackets: what is read has the name that follows, also where dbt gives it one. #}
{% macro nested(relation) -%}
{{ return("(" ~ sqlanon.everything(relation) ~ ")") }}
{%- endmacro %}

{# What stands beside a release by the name that follows its own: classes, metrics, run, … #}
{% macro companion(relation, name) -%}
{{ return(relation.incorporate(path={"identifier": relation.identifier ~ "__" ~ name})) }}
{%- endmacro %}

{# What a hook begins with that makes a relation beside the release, up to its SELECT. #}
{% macro replace_companion(name, for_readers=false) -%}
{%- set companion = sqlanon.companion(this, name) -%}
{%- set readers = sqlanon.keep_readers(companion) if for_readers else "" -%}
{%- if readers | trim -%}{%- do run_query(readers) -%}{%- endif -%}
{#- dbt knows then what else has gone, such as a view of it. -#}
{%- do adapter.drop_relation(companion.incorporate(type="table")) -%}
create table {{ companion }} as
{%- endmacro %}

{# The same where a build adds to what the builds before it have left. #}
{% macro extend_companion(name, for_readers=false) -%}
{%- set companion = sqlanon.companion(this, name) -%}
{%- if sqlanon.standing(companion) -%}
insert into {{ companion }}
{%- else -%}
{{ sqlanon.replace_companion(name, for_readers) }}
{%- endif -%}
{%- endmacro %}

{# A relation if it is there. #}
{% macro standing(relation) -%}
{{ return(adapter.get_relation(relation.database, relation.schema, relation.identifier) if execute else none) }}
{%- endmacro %}

{# The record of the builds of a release that grows, if there are any, by the release's name. #}
{% macro record_of(release) -%}
{%- if not execute -%}{{ return(none) }}{%- endif -%}
{%- set node = graph.nodes["model." ~ model.package_name ~ "." ~ release] -%}
{{ return(adapter.get_relation(node.database, node.schema, node.alias ~ "__run")) }}
{%- endmacro %}

{# Whether no build of a release has taken a batch in: a condition on the batch's label. #}
{% macro is_new_batch(release, label) -%}
{%- set record = sqlanon.record_of(release) -%}
{%- if record -%}
not exists (
    select 1 as found
    from {{ record }} as record
    where record.item = 'batch' and record.value is not distinct from {{ label }}
)
{%- else -%}
1 = 1
{%- endif -%}
{%- endmacro %}

{# Raise if the labels of what is published mean something else than those of what would be added, if nothing says
   which batches are published, or if a build that ran at the same time has added them. #}
{% macro refuse_batches(release, meaning, labelled, label) -%}
{%- set record = sqlanon.record_of(release) -%}
{%- set older = load_relation(this) -%}
{%- set others -%}
select 1 as found from {{ record }} as record where record.item = 'labels_mean' and record.value <> '{{ meaning }}'
{%- endset -%}
{%- set same -%}
select 1 as found from {{ record }} as record where record.item = 'labels_mean' and record.value = '{{ meaning }}'
{%- endset -%}
{%- set twice -%}
select 1 as found
from {{ record }} as record
inner join {{ sqlanon.nested(ref(labelled)) }} as labelled
    on record.value is not distinct from labelled.{{ sqlanon.ident(label) }}
where record.item = 'batch'
{%- endset -%}
{%- if record and run_query(others) | length > 0 -%}
{{ exceptions.raise_compiler_error(
    release ~ " has batches with other levels or hierarchies than the spec says now: nothing was published; give "
    ~ "the release another name, or drop it and what stands beside it"
) }}
{%- elif older and not (record and run_query(same ~ " limit 1") | length > 0)
    and run_query("select 1 as found from " ~ sqlanon.nested(older) ~ " as older limit 1") | length > 0 -%}
{{ exceptions.raise_compiler_error(
    release ~ " has records, and no " ~ release ~ "__run that says of which batches: they would be published twice, so "
    ~ "nothing was; give the release another name, or drop it and what stands beside it"
) }}
{%- elif record and run_query(twice ~ " limit 1") | length > 0 -%}
{{ exceptions.raise_compiler_error(
    release ~ " has batches already that this build would add, as another one has run at the same time: nothing was "
    ~ "published; build it again"
) }}
{%- endif -%}
{%- endmacro %}

{# What it ends with: a relation for readers keeps those it had, any other is for its owner alone. #}
{% macro protect_companion(name, for_readers=false) -%}
{%- set rights = sqlanon.settle_readers() if for_readers else sqlanon.withhold(sqlanon.companion(this, name)) -%}
{%- if rights | trim %};
{{ rights }}
{%- endif -%}
{%- endmacro %}

{# Statements about who may read what, where a database has rights. #}
{% macro withhold(relation) -%}
{{ return(adapter.dispatch("withhold", "sqlanon")(relation)) }}
{%- endmacro %}

{% macro keep_readers(relation) -%}
{{ return(adapter.dispatch("keep_readers", "sqlanon")(relation)) }}
{%- endmacro %}

{% macro settle_readers() -%}
{{ return(adapter.dispatch("settle_readers", "sqlanon")()) }}
{%- endmacro %}

{% macro default__withhold(relation) -%}{%- endmacro %}

{% macro default__keep_readers(relation) -%}{%- endmacro %}

{% macro default__settle_readers() -%}{%- endmacro %}

{# What dbt's graph knows a relation beside a release by: a hook of the release makes it, and so nothing is left to
   do here but to see that it is there. It has the name and the schema of that relation, so that ref() reads it. #}
{% materialization sqlanon_companion, default %}
{%- do ref(config.require("of")) -%}
{%- call statement("main") -%}
select 1 as found from {{ this }} where 1 = 0
{%- endcall -%}
{{ return({"relations": [this.incorporate(type="table")]}) }}
{% endmaterialization %}
