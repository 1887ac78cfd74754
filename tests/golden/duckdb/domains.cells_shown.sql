select distinct
    earlier."age" as p1, earlier."town" as p2
from "january" as earlier
