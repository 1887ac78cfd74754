"""UHRA: clusters of alike records, and classes grown within them. Amiri et al. (2023)."""
