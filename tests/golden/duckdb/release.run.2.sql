-- relation: run
-- grain: one row per fact about the run
-- inputs: none
-- outputs: item, value
-- paper: none
select
    facts.item,
    facts.value
from (
    values
    ('spec', '{"source": {"table": "patients"}, "release": "patients_public", "identifiers": [], "quasi_identifiers": {"age": {"weight": "1"}, "zip": {"hierarchy": {"sql": ["left(zip, 2)", "''*''"]}, "weight": "1"}, "admitted": {"publish": "bounds", "weight": "1"}}, "sensitive": {"disease": {"distance": "equal", "nulls": "value", "t": "9/10"}}, "insensitive": [], "key": ["patient_id"], "privacy": {"k": 10}, "method": {"name": "stack_and_deal"}, "materialize": "table", "seed": 0}'),
    ('fingerprint', '02979f93dcb396f4d936f8661b8f415442d9e3e7eda5d64742c0c60d98c4995e'),
    ('sqlanon', '0.1.0'),
    ('method', 'stack_and_deal'),
    ('seed', '0'),
    ('columns_not_released', '["dose", "sex", "town", "visits", "pain", "salary", "ward"]')
) as facts (item, value)
