select coalesce(max(places.bin), 0) as bins
from "sqlanon_values_q1" as places
