{# What a release that `sqlanon compile --dbt` writes is published by. dbt builds what it is asked to: without the
   checks, with tables of yesterday, or with empty ones. So the model of a release says itself what the same
   invocation must have made and checked, and its hooks make the relations that prove it in its own transaction. #}

{# The settings of a work model: it has no contract, which is for readers; `fixed` makes it a table whatever the
   project says, so that all that read it read the same records. #}
{% macro work_model(fixed=false) -%}
{{ config(contract={"enforced": false}) }}
{%- if fixed -%}{{ config(materialized="table") }}{%- endif -%}
{{ adapter.dispatch("settle_work_model", "sqlanon")() }}
{%- endmacro %}

{# A work model of the release that is built, by what follows `__work_` in its name. #}
{% macro work_of(name) -%}
{{ return(ref(model.name ~ "__work_" ~ name)) }}
{%- endmacro %}

{# The release: what one of its work models holds, once every check has passed.

   work: that model; checks: how many checks there are; numbers: by its column the type of the source's numbers;
   grows: whether only new records are added. #}
{% macro publish(work, columns, checks, numbers={}, grows=false) -%}
{%- set made = sqlanon.work_of(work) -%}
{{ sqlanon.checked_copy(
    made, columns, sqlanon.work_of("metrics"), checks, made=made, numbers=numbers, by_value=true,
    new=sqlanon.work_of("records") if grows else none
) }}
{%- endmacro %}

{# What stands beside the release, by a hook of it and in its transaction.

   name: what follows the release's name; work: the work model that it is made of, by the same name if none is given; cte: the quoted name of what is
   copied, where that is a CTE of the SQL between `call` and `endcall`; others as above. #}
{% macro publish_companion(
    name, columns, checks, work=none, cte=none, rows=none, by_value=false, grows=false, for_readers=false
) -%}
{%- set made = sqlanon.work_of(name if work is none else work) -%}
{{ sqlanon.extend_companion(name, for_readers) if grows else sqlanon.replace_companion(name, for_readers) }}
{{ caller() if cte is not none }}
{{ sqlanon.checked_copy(
    cte if cte is not none else made, columns, sqlanon.work_of("metrics"), checks,
    made=made, rows=rows, by_value=by_value,
    new=sqlanon.work_of("records") if grows else none, build=grows
) }}
{{ sqlanon.protect_companion(name, for_readers) }};
{%- endmacro %}

{# The measures of the release. #}
{% macro publish_metrics(checks, grows=false) -%}
{%- set columns = [
    "metric", "attribute", "value", "threshold", "passed", "failing_classes", "failing_records", "direction", "range",
    "sentence"
] -%}
{{ sqlanon.publish_companion("metrics", columns, checks, work="metrics", rows="check_number is null", grows=grows) }}
{%- endmacro %}

{# The facts of the run, each with its name; of a release that grows also the batches that are added, by the work
   model and the column with the batch of each new record. #}
{% macro publish_run(checks, facts, labelled=none, label=none) -%}
{%- call sqlanon.publish_companion("run", ["item", "value"], checks, work="metrics", cte="facts", grows=labelled is not none) -%}
with facts as (
{{ sqlanon.select_run(facts=facts, contents=[]) }}
{%- if labelled is not none %}
union all
select distinct 'batch' as item, batches.{{ sqlanon.ident(label) }} as value
from {{ sqlanon.nested(sqlanon.work_of(labelled)) }} as batches
{%- endif %}
)

{% endcall -%}
{%- endmacro %}

{# Raise unless this invocation of dbt has made and checked all that the release is copied from.

   work: the work models, by what follows `__work_` in their names; companions: what stands beside the release, by
   what follows its name; meaning: of a release that grows, what its labels must mean; labelled, label: the work
   model and the column with the batch of each new record. #}
{% macro refuse_unchecked(work, companions, meaning=none, labelled=none, label=none) -%}
{%- set made = [] -%}
{%- for name in work -%}{%- do made.append(model.name ~ "__work_" ~ name) -%}{%- endfor -%}
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
{%- if meaning is not none -%}{%- do sqlanon.refuse_batches(model.name, meaning, model.name ~ "__work_" ~ labelled, label) -%}{%- endif -%}
{%- set found = run_query("select message from " ~ sqlanon.work_of("metrics") ~ " where message is not null") -%}
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
{%- set said -%}
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
end
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
    {{ rows ~ " and " if rows is not none }}{{ sqlanon.holds(said) }}
{%- if by_value %}
order by {% for name in columns %}{{ loop.index }}{{ ", " if not loop.last }}{% endfor %}
{%- endif -%}
{%- endmacro %}

{# A condition that holds where a text is `true`: any other makes the statement fail with it as its message. #}
{% macro holds(said) -%}
{{ return(adapter.dispatch("holds", "sqlanon")(said)) }}
{%- endmacro %}

{# The texts of several rows as one; NULL for no row. #}
{% macro joined(text) -%}
{{ return(adapter.dispatch("joined", "sqlanon")(text)) }}
{%- endmacro %}

{# A relation in brackets: what is read has the name that follows, also where dbt gives it one. #}
{% macro nested(relation) -%}
{{ return("(" ~ sqlanon.everything(relation) ~ ")") }}
{%- endmacro %}

{# What stands beside a release by the name that follows its own: classes, metrics, run, … #}
{% macro companion(relation, name) -%}
{{ return(relation.incorporate(path={"identifier": relation.identifier ~ "__" ~ name})) }}
{%- endmacro %}

{# The hooks of a release, each a statement of its own, from the text that has them all.

   proof: that text, with a comment between two; companions: what they make, by what follows the release's name. #}
{% macro in_turn(proof, companions) -%}
{#- Where each statement commits by itself no older proof may stand beside the new release, however a build ends. -#}
{%- set before = [] if adapter.dispatch("at_once", "sqlanon")() else ["{{ sqlanon.drop_companions(" ~ companions ~ ") }}"] -%}
{{ return(before + proof.split("{# next #}")) }}
{%- endmacro %}

{% macro drop_companions(names) -%}
{%- for name in names -%}{%- do adapter.drop_relation(sqlanon.companion(this, name).incorporate(type="table")) -%}{%- endfor -%}
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

{# What dbt's graph knows a relation beside a release by: a hook of the release makes it, and so nothing is left to
   do here but to see that it is there. It has the name and the schema of that relation, so that ref() reads it. #}
{% materialization sqlanon_companion, default %}
{%- do ref(config.require("meta").of) -%}
{%- call statement("main") -%}
select 1 as found from {{ this }} where 1 = 0
{%- endcall -%}
{{ return({"relations": [this.incorporate(type="table")]}) }}
{% endmaterialization %}

{# The model by which dbt's graph knows what stands beside a release. #}
{% macro companion_model(release, name) -%}
{{ config(materialized="sqlanon_companion", meta={"of": release}, contract={"enforced": false}) -}}
select * from {{ sqlanon.companion(ref(release), name) }}
{%- endmacro %}

{# What a check found, as a row; of several checks from the second on after a `union all`.

   message: what it says of the rows that it finds, with a count of theirs in braces; a brace is written twice.
   found: the SELECT of these rows, where it does not stand between `call` and `endcall`; new: of a release that
   grows, the relation of the new records, without which nothing is wrong. #}
{% macro check(number, title, found=none, message=none, new=none) -%}
{%- set said = [] -%}
{%- for part in modules.re.split("([{][{]|[{]\\w+[}])", message) if part -%}
{%- if part == "{" ~ "{" -%}
{%- do said.append("'{'") -%}
{%- elif modules.re.fullmatch("[{]\\w+[}]", part) -%}
{%- do said.append("coalesce(cast(found." ~ sqlanon.ident(part[1:-1]) ~ " as " ~ dbt.type_string() ~ "), '')") -%}
{%- else -%}
{%- do said.append(sqlanon.literal(part)) -%}
{%- endif -%}
{%- endfor -%}
{%- set listed = sqlanon.joined("cast(" ~ said | join(" || ") ~ " as " ~ dbt.type_string() ~ ")") -%}
{%- if number > 1 %}union all
{% endif -%}
select {{ number }} as check_number, {{ sqlanon.literal(title) }} as title,
    {% if new is not none %}case when exists (select 1 as new from {{ new }}) then {{ listed }} end
    {%- else %}{{ listed }}{% endif %} as message
from (
{{ found if found is not none else caller() }}
) as found
{%- endmacro %}
