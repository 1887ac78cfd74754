{# Every check of a release passes: `sqlanon compile --dbt` writes this of the model that has what they found. dbt
   shows only how many rows a test has, so their messages are logged before. #}
{% test checks_pass(model, release) %}
{%- set found -%}
select judged.message from {{ sqlanon.nested(model) }} as judged where judged.message is not null
{%- endset -%}
{%- if execute and flags.WHICH in ('build', 'test') -%}
{%- for row in run_query(found).rows -%}
{%- do log(release ~ ' is refused: ' ~ row[0], info=True) -%}
{%- endfor -%}
{%- endif -%}
{{ found }}
{% endtest %}
