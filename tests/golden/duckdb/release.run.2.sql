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
    ('spec', '{"source": {"table": "patients"}, "release": "patients_public", "identifiers": [], "quasi_identifiers": {"age": {"weight": "1"}, "zip": {"hierarchy": {"sql": ["left(zip, 2)", "''*''"]}, "weight": "1"}, "admitted": {"publish": "bounds", "weight": "1"}}, "sensitive": {"disease": {"distance": "equal", "nulls": "value", "t": "9/10"}}, "insensitive": [], "key": ["patient_id"], "privacy": {"k": 10}, "method": {"name": "stack_and_deal", "locality": "none", "stripe": 2000}, "materialize": "table", "seed": 0}'),
    ('fingerprint', '014c279196b554472464927f7344f59be6cbea29ecc7e8f68f9743d445d6b178'),
    ('sqlanon', '0.1.0'),
    ('method', 'stack_and_deal'),
    ('seed', '0'),
    ('columns_not_released', '["dose", "sex", "town", "visits", "pain", "salary", "ward"]')
) as facts (item, value)
