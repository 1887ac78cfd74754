"""Global recoding: one level of its hierarchy for every quasi-identifier, found in the lattice."""
