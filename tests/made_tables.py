"""Tables in three languages that a test makes, with the roles of their columns by hand."""

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
}
