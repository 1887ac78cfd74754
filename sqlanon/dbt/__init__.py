"""What dbt needs: a plan as models, and the macros of the package in the folder ``dbt/``."""

from sqlanon.dbt.models import write_models

__all__ = ["write_models"]
