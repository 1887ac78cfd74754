"""Tables that a test makes, in several languages, with the roles of their columns by hand."""

from __future__ import annotations

MADE: dict[str, tuple[str, dict[str, list[str]]]] = {
    "klinik": (
        """
        select
            100000 + i as "Fallnummer", 'K' || (i // 2) as "Versichertennummer",
            'Nachname' || (i % 311) as "Nachname", 'v' || i || '@mail.example' as kontakt,
            date '1940-01-01' + (i // 2 * 37 % 22000)::int as "Geburtsdatum",
            ['m', 'w'][1 + i // 2 % 2] as "Geschlecht",
            (10000 + i // 2 * 7 % 900 * 13)::varchar as "PLZ",
            chr((65 + i % 20)::int) || lpad((i * 7 % 90)::varchar, 2, '0') || '.' || i % 9
                as befund_code,
            ['Innere', 'Chirurgie', 'Augen'][1 + i % 3] as "Abteilung",
            i % 8 as "Station_Id", 20 + i // 2 * 7 % 60 as "Alter",
            365 * (20 + i // 2 * 7 % 60) as tage
        from range(1200) as t(i)
        """,
        {
            "identifiers": ["Fallnummer", "Versichertennummer", "Nachname", "kontakt"],
            "quasi_identifiers": ["Geburtsdatum", "Geschlecht", "PLZ", "Abteilung", "Alter"],
            "sensitive": ["befund_code"],
        },
    ),
    "paie": (
        """
        select
            'FR76' || lpad((i * 7919)::varchar, 23, '3') as compte, 'Nom' || i % 700 as nom,
            'Prenom' || i % 90 as "Prénom", '+33 6 ' || (10000000 + i * 37) as joindre,
            ['femme', 'homme'][1 + i % 2] as sexe,
            (date '1960-01-01' + (i * 11 % 14000)::int) as date_naissance,
            (75000 + i % 20)::varchar as code_postal, ['cadre', 'employé'][1 + i % 2] as "Métier",
            1800 + i * 13 % 900 * 5 as salaire, ['oui', 'non'][1 + i % 7 // 6] as syndicat_vote,
            i % 8 as agence_id
        from range(1500) as t(i)
        """,
        {
            "identifiers": ["compte", "nom", "Prénom", "joindre"],
            "quasi_identifiers": ["sexe", "date_naissance", "code_postal", "Métier"],
            "sensitive": ["salaire", "syndicat_vote"],
        },
    ),
    "encuesta": (
        """
        select
            i + 1 as folio, lpad((i * 7 % 999)::varchar, 3, '1') || '-' || (10 + i % 80) || '-'
                || (1000 + i) as documento, 'Calle ' || i as direccion,
            18 + i % 70 as edad, ['M', 'F'][1 + i % 2] as genero,
            ['Lima', 'Cusco', 'Puno'][1 + i % 3] as municipio, i % 5 as "nivelEstudios",
            case when i % 17 = 0 then -8 else 300 + i * 7 % 80 * 10 end as ingreso,
            ['asma', 'gripe', 'ninguna', 'otra'][1 + i % 4] as enfermedad,
            1 + (i * 31 % 400) / 7.0 as "factorExp"
        from range(900) as t(i)
        """,
        {
            "identifiers": ["folio", "documento", "direccion"],
            "quasi_identifiers": ["edad", "genero", "municipio", "nivelEstudios"],
            "sensitive": ["ingreso", "enfermedad"],
        },
    ),
    # Tables with the columns of public ones, and values of our own.
    "nutrition_survey": (
        """
        select
            51624 + i as "ID", ['2009_10', '2011_12'][1 + i % 2] as "SurveyYr",
            ['male', 'female'][1 + i * 7 % 2] as "Gender", 20 + i * 7 % 60 as "Age",
            (20 + i * 7 % 60) // 10 * 10 || 's' as "AgeDecade",
            ['White', 'Black', 'Other', 'Mexican'][1 + i * 3 % 4] as "Race1",
            ['White', 'Black', 'Asian', 'Other'][1 + i * 5 % 4] as "Race3",
            ['8th Grade', 'High School', 'College'][1 + i * 11 % 3] as "Education",
            ['Married', 'Widowed', 'Single'][1 + i * 13 % 3] as "MaritalStatus",
            ['0-4999', '5000-9999', 'more 99999'][1 + i * 17 % 3] as "HHIncome",
            [2500, 7500, 100000][1 + i * 17 % 3] as "HHIncomeMid",
            (i * 37 % 500) / 100.0 as "Poverty",
            round(50 + (i * 71 % 997) / 16.0, 1) as "Weight",
            round(150 + (i * 73 % 461) / 10.0, 1) as "Height",
            60 + i * 19 % 30 * 2 as "Pulse", 100 + i * 23 % 60 as "BPSysAve",
            ['No', 'Yes'][1 + i % 11 // 10] as "Diabetes", 12 + i * 29 % 41 as "AgeFirstMarij",
            ['No', 'Yes'][1 + i % 7 // 6] as "HardDrugs", 13 + i * 31 % 23 as "SexAge",
            i * 37 % 43 as "SexNumPartnLife", ['No', 'Yes'][1 + i % 19 // 18] as "SameSex",
            ['No', 'Yes'][1 + i % 3 // 2] as "Smoke100", 1 + i % 9 as "HomeRooms"
        from range(2000) as t(i)
        """,
        {
            "identifiers": ["ID"],
            "quasi_identifiers": [
                "Gender",
                "Age",
                "AgeDecade",
                "Race1",
                "Race3",
                "Education",
                "MaritalStatus",
                "Weight",
                "Height",
            ],
            "sensitive": [
                "HHIncome",
                "HHIncomeMid",
                "Poverty",
                "Pulse",
                "BPSysAve",
                "Diabetes",
                "AgeFirstMarij",
                "HardDrugs",
                "SexAge",
                "SexNumPartnLife",
                "SameSex",
                "Smoke100",
            ],
        },
    ),
    "recidivism": (
        """
        select
            i + 1 as id, 'First' || i % 400 as first, 'Last' || i % 600 as last,
            ['Male', 'Female'][1 + i % 5 // 4] as sex,
            date '1950-01-01' + (i * 37 % 15000)::int as dob, 18 + i * 7 % 50 as age,
            ['25 - 45', 'Less than 25', 'Greater than 45'][1 + i * 7 % 3] as age_cat,
            ['African-American', 'Caucasian', 'Hispanic', 'Other'][1 + i * 3 % 4] as race,
            i % 4 as juv_fel_count, 1 + i * 11 % 10 as decile_score, i * 13 % 20 as priors_count,
            ['F', 'M'][1 + i % 3 // 2] as c_charge_degree,
            ['Battery', 'Theft', 'Assault'][1 + i * 17 % 3] as c_charge_desc,
            i * 19 % 2 as is_recid, i * 23 % 2 as two_year_recid,
            ['Low', 'Medium', 'High'][1 + i * 11 % 3] as score_text
        from range(3000) as t(i)
        """,
        {
            "identifiers": ["id", "first", "last"],
            "quasi_identifiers": ["sex", "dob", "age", "age_cat", "race"],
            "sensitive": [
                "juv_fel_count",
                "decile_score",
                "priors_count",
                "c_charge_degree",
                "c_charge_desc",
                "is_recid",
                "two_year_recid",
                "score_text",
            ],
        },
    ),
    "bank_marketing": (
        """
        select
            18 + i * 7 % 70 as age, ['admin', 'services', 'retired'][1 + i // 3 % 3] as job,
            ['married', 'single', 'divorced'][1 + i * 5 % 3] as marital,
            ['primary', 'secondary', 'tertiary'][1 + i * 11 % 3] as education,
            ['no', 'yes'][1 + i % 30 // 29] as "default", i * 13 % 900 - 100 as balance,
            ['no', 'yes'][1 + i % 2] as housing, ['no', 'yes'][1 + i % 6 // 5] as loan,
            ['cellular', 'telephone'][1 + i % 3 // 2] as contact, 1 + i % 31 as day,
            ['jan', 'may', 'oct'][1 + i * 17 % 3] as month, i * 19 % 600 as duration,
            1 + i % 7 as campaign, i * 23 % 300 - 1 as pdays, ['no', 'yes'][1 + i % 9 // 8] as y
        from range(5000) as t(i)
        """,
        {
            "identifiers": [],
            "quasi_identifiers": ["age", "job", "marital", "education", "housing"],
            "sensitive": ["default", "balance", "loan"],
        },
    ),
    "traffic_stops": (
        """
        select
            '17-' || lpad(i::varchar, 6, '0') as "idNum",
            timestamp '2017-01-01' + to_minutes((i * 37)::int) as date,
            ['suspicious', 'traffic'][1 + i % 2] as problem,
            ['NO', 'YES'][1 + i % 4 // 3] as "citationIssued",
            ['NO', 'YES'][1 + i % 7 // 6] as "personSearch",
            ['NO', 'YES'][1 + i % 9 // 8] as "vehicleSearch",
            ['White', 'Black', 'Unknown'][1 + i // 3 % 3] as race,
            ['Male', 'Female'][1 + i * 5 % 2] as gender,
            44.89 + (i * 7919 % 15000) / 1e5 as lat, -93.33 + (i * 7907 % 14000) / 1e5 as long,
            1 + i % 5 as "policePrecinct", 'N' || i * 11 % 80 as neighborhood
        from range(4000) as t(i)
        """,
        {
            "identifiers": ["idNum"],
            "quasi_identifiers": ["date", "race", "gender", "lat", "long", "neighborhood"],
            "sensitive": ["citationIssued", "personSearch", "vehicleSearch"],
        },
    ),
    "clinic_events": (
        """
        select
            1000 + i // 6 as id, date '2020-01-01' + (i * 37 % 900)::int as event_date,
            ['f', 'm'][1 + i // 6 % 2] as gender_1, 20 + i // 6 * 7 % 60 as "Age2",
            (10000 + i // 6 * 13 % 90 * 7)::varchar as zip5,
            ['flu', 'asthma', 'ulcer', 'none'][1 + i * 5 % 4] as diagnosis2,
            ['A', 'B', 'C'][1 + i * 7 % 3] as drug_name
        from range(3000) as t(i)
        """,
        {
            "identifiers": ["id"],
            "quasi_identifiers": ["event_date", "gender_1", "Age2", "zip5"],
            "sensitive": ["diagnosis2", "drug_name"],
        },
    ),
    "household_survey": (
        """
        select
            i + 1 as "SEQN", i // 3 as "HHID", 18 + i * 7 % 60 as "AGE1", 1 + i % 2 as "SEX1",
            1 + i * 3 % 12 as "STATE2", 1 + i * 5 % 6 as "EDUC3", 1 + i * 11 % 5 as "MARST_1",
            round(800 + (i % 7) * 51.3, 1) as "WEIGHT", 500 + i * 13 % 300 * 10 as "WAGE1",
            1 + i * 17 % 4 as "RELIG2", i % 2 as "VOTE16"
        from range(2400) as t(i)
        """,
        {
            "identifiers": ["SEQN"],
            "quasi_identifiers": ["AGE1", "SEX1", "STATE2", "EDUC3", "MARST_1"],
            "sensitive": ["WAGE1", "RELIG2", "VOTE16"],
        },
    ),
}
