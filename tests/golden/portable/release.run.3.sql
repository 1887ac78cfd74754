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
    ('spec', '{"source": {"table": "patients"}, "release": "patients_public", "identifiers": [], "quasi_identifiers": {"age": {"weight": "1"}, "zip": {"hierarchy": {"sql": ["left(zip, 2)", "''*''"]}, "weight": "1"}, "admitted": {"publish": "bounds", "weight": "1"}}, "sensitive": {"disease": {"distance": "equal", "nulls": "value", "t": "9/10"}}, "insensitive": [], "key": ["patient_id"], "privacy": {"k": 10}, "method": {"name": "stack_and_deal", "locality": "curve", "stripe": 2000}, "materialize": "table", "seed": 0}'),
    ('fingerprint', 'e271fcb334e85f31c9543a3b308b70ebce08621e098c64cd63633a546fccb37b'),
    ('sqlanon', '0.1.0'),
    ('method', 'stack_and_deal'),
    ('seed', '0'),
    ('columns_not_released', '["dose", "sex", "town", "visits", "pain", "salary", "ward"]')
) as facts (item, value)
