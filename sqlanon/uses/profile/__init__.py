"""The profile of a table before anything is declared, by counts."""
