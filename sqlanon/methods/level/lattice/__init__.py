"""Global recoding: one level of its hierarchy for every quasi-identifier, found in the lattice."""

from sqlanon.methods.level.lattice.method import Datafly, Incognito, Optimal, Samarati

__all__ = ["Datafly", "Incognito", "Optimal", "Samarati"]
