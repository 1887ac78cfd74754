"""The meaning of a column's name: in English, German, French, Spanish, and in public surveys.

Of values, only codes that stand for a missing one in published data are ever named. A code is named
if it looks like one next to the column's other values, and so many records hold it that it points
at none of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from sqlanon.inputs.source import MISSING_WORDS
from sqlanon.sql.names import Sql

Meaning = Literal[
    "person", "record", "number", "name", "contact", "place", "group", "weight", "date", "code",
    "quasi_identifier", "age", "postcode", "sensitive", "diagnosis",
]  # fmt: skip

# Words of a name; the first entry that has one of them decides, so the order of entries matters.
# A word that ends in * stands for all that begin with it, one after = for a whole name alone.
_WORDS: tuple[tuple[Meaning, str], ...] = (
    ("weight", "weight weights fnlwgt afnlwgt pwgtp wgtp svywt perwt hhwt wtfinl gewicht "
     "gewichtung hochrechnungsfaktor poids ponderation ponderacion factorexp finalwt"),
    ("number", "ssn socialsecurity social_security nino nhsno mrn passport reisepass passeport "
     "pasaporte drivers driver_license license licence iban bic account konto kontonummer "
     "steuernummer steuerid svnr versichertennummer insee nir dni nie nss curp nif licen* plate "
     "kennzeichen health_card insurance_number insurance_no card_number creditcard credit_card "
     "chipcard chart"),
    ("contact", "e_mail email mail phone phones telephone tel telefon telefono mobile handy "
     "portable movil fax courriel correo url website homepage ip ip_address username login"),
    ("name", "surname lastname last_name firstname first_name given_name forename maiden "
     "middle_name fullname full_name vorname nachname familienname nom prenom apellido apellidos "
     "nombre nombres name names utilname "
     "=first =last =middle"),
    ("place", "address addresses adresse anschrift street strasse rue direccion calle domicilio "
     "hausnummer house_number"),
    ("diagnosis", "icd icd9 icd10 icd_10 icd_9 diagnos* diagnose diagnosen diagnostic* diag dx "
     "dx1 dx2 dx3 reasoncode reasondescription cie10 cim10 snomed"),
    ("sensitive", "inc income einkommen "
     "revenu revenus ingreso ingresos renta salary salaries salaire "
     "salario sueldo gehalt lohn wage wages wag wagp pincp pinc earnings earning earn pearnval "
     "ernval wsalval hourly pay payroll compensation capital_gain capital_loss fedtax statetax "
     "taxinc tax taxes agi fica ptotval pothval intval emcontrb expend expenditure expenses "
     "expense spending cost costs claim claims total_claim_cost coverage payer_coverage debt debts "
     "schulden dette deuda savings saving ersparnis assets asset vermogen wealth money credit "
     "credit_amount credit_risk credit_history bonitat score status_checking povpip poverty "
     "recben recunben recodben recbill recsocsec recsosec recpens medicaid medicare "
     "insured insurance ins "
     "versicherung assurance seguro benefit benefits welfare "
     "health gesundheit sante salud genhealth genhlth physicalhealth mentalhealth mental hospital "
     "hosp doctor doc delay_med notcov limited disability dis dear deye dout dphy drem dis_rec "
     "disease diseases krankheit maladie enfermedad condition conditions illness symptom* "
     "symptoms pain treatment treatments behandlung traitement tratamiento therapy therapie drug "
     "drugs medication medications medikament medicament medicamento prescription procedure "
     "surgery hiv aids cancer krebs skincancer tumor tumour positive_nodes nodes "
     "heart heartdisease stroke asthma diabet* kidney kidneydisease copd depress* cholesterol "
     "chol trestbps thalach thalch oldpeak restecg fbs exang thal cp slope ca blood "
     "blood_pressure glucose hba1c bmi overweight obes* smok* smoker tobacco raucher fumeur "
     "fumador alcohol alcoholdrinking drink* drinking diffwalking physicalactivity sleeptime "
     "pregnan* schwanger* test_result lab result survival survival_status death mortality "
     "readmitted injury injuries d_injury verletzung blessure lesion accident crime crimes "
     "conviction offense offence arrest donated donated_mar2007 religion konfession relig "
     "party partei partido vote votes wahl politic* union orientation sexual "
     "outcome target label doing_lw description "
     "drug_name medication_name disease_name procedure_name juv fel "
     "search searches searched searching frisk frisk* contraband citation citations violation "
     "arrested arrests recid* priors prior felony misd charge charges custody jail decile_score "
     "marij* marijuana cannabis cocaine heroin meth harddrug* sex_age sex_num sex_ever same_sex "
     "num_partn partner partners partn* sleep pulse urine testosterone bp bpsys bpdia bp_sys "
     "bp_dia hlth phys_active hrs_day balance loan loans default housing_loan"),
    ("age", "age agep age_grp agegroup age_group agecategory age_category alter alters* "
     "altersgruppe edad agecat agegr"),
    ("date", "dob birth birthdate birthday date_of_birth birth_ym birth_date born geburt* "
     "geburtsdatum naissance date_naissance nacimiento fecha_nacimiento deathdate dod "
     "date_of_death sterbedatum yob year_of_birth geburtsjahr"),
    ("postcode", "zip zipcode zip_code post_code postcode postal postal_code plz postleitzahl "
     "code_postal codepostal codigo_postal cod_postal"),
    ("quasi_identifier", "sex gender gender1 gender2 geschlecht sexe sexo genero gndr "
     "race rac rac1p races raza ethnic* ethni* etni etnia etnie ethnicity hisp hispanic afam "
     "ancestry tribe caste "
     "marital marstat marst msp mar married civil hhcivil mrsttus marital_status familienstand "
     "etat_civil situation_familiale estado_civil personal_status personal_status_sex "
     "education educ educ1 educ2 schl school schooling bildung schulabschluss abschluss diplome "
     "etudes educacion estudios nivel_estudios degree grade "
     "nationality citizen* cit nativity native native_country country land pays pais nationalite "
     "nacionalidad staatsangehorigkeit migrat* foreign foreign_worker birthplace pob geburtsort "
     "region regions state states bundesland province provincia county kreis landkreis comte "
     "departement municipality gemeinde commune comuna municipio city cities stadt ort ville "
     "ciudad town village location site district bezirk puma powpuma tract blkgroup "
     "block neighbourhood neighborhood lat lon lng latitude longitude urban rural urbrur statefip "
     "occupation occp occ occucode beruf berufsgruppe profession metier ocupacion profesion job "
     "jobtitle workclass cow indp naics soc employer employment employed arbeitgeber employeur "
     "empleador kindpers rank branch department abteilung "
     "household hh_size family famsize family_size numyoung numold ageyoung relat relp relation "
     "relationship parents children kids child nkids num_dependents dependents noc npf hhsize "
     "haushaltsgrosse menage hogar morekids "
     "language lanp sprache langue idioma tenure housing veteran vet military telephone_owner "
     "height size_cm veh modelyr property residence residence_since suffix prefix title "
     "admission admitted admission_date discharge discharge_date start_obs_ym end_obs_ym "
     "aufnahmedatum entlassung"),
    ("group", "household_id hhid hh_id ori_hid family_id haushalt_id cluster stratum strata "
     "serialno serial psu psus ssu ssus sampling_unit"),
    ("person", "patient patients person persons subject member customer client user kunde "
     "kundin kundennummer versicherter versicherte iid pid patid participant respondent proband "
     "employee mitarbeiter student schuler personne individu assure paciente cliente persona "
     "empleado"),
    ("record", "id ids uuid guid caseid rowid row_id record index idx nr nummer number num no "
     "numero rid seqn key encounter visit case_number fallnummer"),
    ("code", "code codes"),
)  # fmt: skip
# Of sensitive columns, those most worth protecting first; see `worth_of`.
_WORTH = tuple(
    frozenset(words.split())
    for words in (
        "hiv aids icd icd9 icd10 diagnos* diagnose diagnosen diag dx reasoncode reasondescription "
        "disease diseases krankheit maladie enfermedad condition conditions illness "
        "mental mentalhealth depress* psych* suicid* drug drugs harddrug* marij* cannabis cocaine "
        "heroin meth abortion pregnan* schwanger* sexual same_sex sex_age sex_num partn* "
        "sex_orientation orientation "
        "religion konfession relig party partei partido vote votes politic* union syndicat "
        "cancer krebs skincancer tumor tumour heart heartdisease stroke diabet* kidney "
        "kidneydisease copd asthma disability dis genetic* crime crimes conviction offense offence "
        "arrest arrest* recid* prior* felony misd charge*",
        "health gesundheit sante salud genhealth genhlth physicalhealth treatment treatments "
        "behandlung therapy therapie medication* medikament medicament medicamento prescription "
        "procedure surgery hospital hosp test_result lab survival survival_status death mortality "
        "income inc einkommen revenu revenus ingreso ingresos renta salary salaries salaire "
        "salario sueldo gehalt lohn wage wages earnings earning debt debts schulden dette deuda "
        "savings assets vermogen wealth credit credit_amount credit_history score default benefit* "
        "welfare poverty povpip alcohol alcoholdrinking drink* smok* smoker tobacco",
    )
)
# A weight that is plainly called so may be a body's or a sample's.
_PLAIN_WEIGHT = frozenset({"weight", "gewicht", "poids", "peso", "kg", "kgs", "lb", "lbs", "in"})
_OF_BODIES = frozenset({"body", "bodyweight", "birth", "birthweight", "korper", "korpergewicht"})
# Other measures of a body.
_MEASURES = (
    "height size groesse grosse taille talla estatura bmi length waist headcirc stature pulse "
    "trestbps bp blood_pressure"
)
BODIES = frozenset(_MEASURES.split())
_TABLE = [(meaning, frozenset(words.split())) for meaning, words in _WORDS]


def words_of(name: str) -> list[str]:
    """The words of a name, in lower case and without accents: ``dateOfBirth`` has three.

    So has ``HHIncomeMid``: capitals before a word are one of their own.
    """
    plain = unicodedata.normalize("NFKD", name.replace("ß", "ss"))
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    plain = re.sub(r"([A-Z])([A-Z][a-z])", r"\1_\2", plain)
    plain = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", plain)
    return [word for word in re.split(r"[^a-z0-9]+", plain.lower()) if word]


def meaning_of(name: str) -> Meaning | None:
    """The meaning of a column by its name alone; None if the name says nothing that is known.

    The whole name is looked up first, then what two words together say, then each word. If none is
    known, the same without digits: ``Race1`` is a race, and ``zip5`` a postcode.
    """
    words = words_of(name)
    return _looked_up(words) or _looked_up(stems_of(words))


def stems_of(words: Sequence[str]) -> list[str]:
    """The letters that words begin with, where a digit follows; other words as they are."""
    parts = [re.match(r"[a-z]+|", word) for word in words]
    return [part[0] for part in parts if part is not None and len(part[0]) > 1]


def _looked_up(words: Sequence[str]) -> Meaning | None:
    if not words:
        return None
    pairs = ["_".join(two) for two in pairwise(words)]
    whole = ["=" + "_".join(words), "_".join(words), "".join(words)]
    for asked in (whole, pairs, words):
        for meaning, known in _TABLE:
            if any(_is_one(word, known) for word in asked):
                return meaning
    return None


def worth_of(name: str) -> int:
    """How much a sensitive column is worth protecting by its name: 0 is most.

    First what the law calls special categories (health, sex life, religion, politics, union) and
    crimes; then money; then all else.
    """
    words = words_of(name)
    stems = stems_of(words)
    asked = {*words, *stems, *("_".join(two) for two in pairwise(stems))}
    return next(
        (
            index
            for index, known in enumerate(_WORTH)
            if any(_is_one(word, known) for word in asked)
        ),
        len(_WORTH),
    )


def is_body_weight(words: Sequence[str]) -> bool | None:
    """Whether a weight is that of a body; None where its name does not say."""
    if any(word in _OF_BODIES for word in words):
        return True
    return None if {*words} <= _PLAIN_WEIGHT else False


def _is_one(word: str, known: frozenset[str]) -> bool:
    """Whether a word, or what it is the plural of, is known."""
    if word in known or (len(word) > 3 and word.endswith("s") and word[:-1] in known):
        return True
    return any(name[-1] == "*" and word.startswith(name[:-1]) for name in known)


# Words that do so among numbers only.
AMONG_NUMBERS = ("n", "x", "none", "m")
NUMBERS = (
    -1, -2, -3, -4, -5, -6, -7, -8, -9, -66, -77, -88, -99, -666, -777, -888, -999, -8888, -9999,
    -99999, 7, 8, 9, 77, 88, 97, 98, 99, 777, 888, 997, 998, 999, 7777, 8888, 9997, 9998, 9999,
    99999, 999999, 9999999,
)  # fmt: skip
# So many records hold a code that is named, at least.
LEAST_HOLDING = 10
KNOWN = (*MISSING_WORDS, *AMONG_NUMBERS, *map(str, NUMBERS))


@dataclass(frozen=True)
class MissingCode:
    """A likely code of the known list that a column holds, and in how many records.

    Attributes:
        code: as the list has it: text in lower case.
        records: how many records hold it.
    """

    code: str
    records: int


def params() -> dict[str, Any]:
    """The parameters of the codes' template."""
    words = [{"text": word, "among_numbers": False} for word in MISSING_WORDS]
    words += [{"text": word, "among_numbers": True} for word in AMONG_NUMBERS]
    numbered = [{**word, "number": number} for number, word in enumerate(words)]
    numbers = [
        {"value": Sql(f"({value})"), "number": len(words) + index}
        for index, value in enumerate(NUMBERS)
    ]
    return {"words": numbered, "numbers": numbers}
