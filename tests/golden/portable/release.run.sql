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
    ('spec', '{"source": {"table": "patients"}, "release": "patients_public", "identifiers": ["patient_id"], "quasi_identifiers": {"age": {"hierarchy": {"bands": [5, 10, 20]}, "weight": "1"}, "zip": {"hierarchy": {"prefix": [5, 3, 0]}, "weight": "1"}, "dose": {"hierarchy": {"bands": [2, 4]}, "weight": "1/2"}, "admitted": {"hierarchy": {"dates": ["month", "year"]}, "weight": "1"}, "sex": {"hierarchy": {"tree": {"*": ["Male", "Female"]}}, "weight": "1"}, "town": {"weight": "1"}, "visits": {"publish": "bounds", "weight": "1"}}, "sensitive": {"disease": {"distance": "hierarchical", "hierarchy": {"tree": {"*": {"respiratory": ["flu", "cold"], "stomach": ["ulcer", "gastritis"]}}}, "nulls": "value", "t": "9/10"}, "pain": {"distance": "ordered", "order": ["low", "middle", "high"], "nulls": "value", "t": "9/10"}, "salary": {"distance": "ordered", "order": "frequency", "nulls": "reject", "l": {"distinct": 1, "entropy": "1", "recursive": {"c": "99", "l": 1}}, "alpha": "1"}}, "insensitive": ["ward"], "key": [], "privacy": {"k": 10}, "method": {"name": "stack_and_deal", "stack": "snake", "locality": "none", "stripe": 2000}, "materialize": "view", "seed": 7}'),
    ('fingerprint', '9973be4172d8a799a8d8925fb5c544dd5cb129ffc7bfc0af98845bb5e2b9174f'),
    ('sqlanon', '0.1.0'),
    ('method', 'stack_and_deal'),
    ('seed', '7'),
    ('columns_not_released', '[]')
) as facts (item, value)
