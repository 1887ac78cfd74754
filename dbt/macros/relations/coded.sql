{# Written from sql_templates/source/coded.sql.j2; change that, and write this anew. #}
{% macro select_coded(records, attributes, carried, domains, nodes, tie_breaker) %}
-- relation: coded
-- grain: one row per record
-- inputs: records, domain_*
-- outputs: q*|s*, x*|k*|w*|g*
-- paper: none
-- Every value of a quasi-identifier or sensitive attribute as its integer code; code 0 is NULL. A
-- coordinate without a domain is the same for every record.
{%- if nodes %}
-- Where slices show a level, all values of a label have the code of its node.
{%- endif %}
select
{%- for attribute in attributes %}
{%- if attribute in domains %}
    coalesce(domain_{{ attribute }}.{{ nodes.get(attribute, "code") }}, 0) as {{ attribute }}{{ sqlanon.comma(loop, carried) }}
{%- else %}
    0 as {{ attribute }}{{ sqlanon.comma(loop, carried) }}
{%- endif %}
{%- endfor %}
{%- for column in carried %}
    records.{{ column }}{{ sqlanon.comma(loop) }}
{%- endfor %}
from {{ records }} as records
{%- for attribute in attributes if attribute in domains %}
left join {{ domains[attribute] }} as domain_{{ attribute }}
    on
        records.{{ attribute }} = domain_{{ attribute }}.value
{%- if attribute in tie_breaker %}
        and {{ tie_breaker[attribute] }}(records.{{ attribute }}) = {{ tie_breaker[attribute] }}(domain_{{ attribute }}.value)
{%- endif %}
{%- endfor %}
{% endmacro %}
