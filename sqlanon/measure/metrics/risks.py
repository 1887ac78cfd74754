"""How likely a record is linked to its person by somebody who knows the quasi-identifiers."""

from sqlanon.figures import MARKETER_RISK, PROSECUTOR_RISK

RISKS = (PROSECUTOR_RISK, MARKETER_RISK)
