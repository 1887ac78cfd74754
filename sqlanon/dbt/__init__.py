"""The parts that dbt needs: a plan as models, the package's macros, and help for a Python model."""

from sqlanon.dbt.models import write_models
from sqlanon.dbt.python_model import model

__all__ = ["model", "write_models"]
