"""Background knowledge: a reader knows beforehand who may have which value. Amiri et al. (2023)."""
