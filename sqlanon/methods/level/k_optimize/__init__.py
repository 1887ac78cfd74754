"""k-Optimize: every quasi-identifier split into stretches of its ordered values, for the table."""
