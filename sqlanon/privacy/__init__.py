"""The privacy models: what each demands, the SQL that measures it, and the exact pass rule."""

from sqlanon.privacy.models import Model, declared_models

__all__ = ["Model", "declared_models"]
