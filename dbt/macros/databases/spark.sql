{# Written from sqlanon/sql/products.py; change that, and write this anew. #}
{% macro spark__at_once() -%} {{ return(false) }} {%- endmacro %}

{% macro spark__double() -%} double {%- endmacro %}

{% macro spark__holds(said) -%} if({{ said }} = 'true', true, raise_error({{ said }})) {%- endmacro %}

{% macro spark__joined(text) -%} nullif(array_join(collect_list({{ text }}), '; '), '') {%- endmacro %}

{% macro spark__cased(name) -%} {{ return(name) }} {%- endmacro %}

{% macro spark__settle_work_model() -%}
{{ config(pre_hook=[
    "set spark.sql.ansi.enabled = true",
    "set spark.sql.session.timeZone = UTC",
    "set spark.sql.caseSensitive = false",
    "set spark.sql.storeAssignmentPolicy = ANSI",
    "set spark.sql.timestampType = TIMESTAMP_LTZ",
    "set spark.sql.legacy.timeParserPolicy = CORRECTED",
    "set spark.sql.legacy.ctePrecedencePolicy = CORRECTED",
    "set spark.sql.decimalOperations.allowPrecisionLoss = true",
    "set spark.sql.parser.escapedStringLiterals = false",
    "set spark.sql.ansi.doubleQuotedIdentifiers = false",
    "set spark.sql.variable.substitute = false",
    "set spark.sql.functionResolution.sessionOrder = second"
]) }}
{%- endmacro %}

{% macro spark__refuse_logarithms(test) -%}{%- endmacro %}

{% macro spark__withhold(relation) -%}{%- endmacro %}

{% macro spark__keep_readers(relation) -%}{%- endmacro %}

{% macro spark__settle_readers() -%}{%- endmacro %}
