select
    frozen."age",
    frozen."sex"
from "patients_public__rows" as frozen
