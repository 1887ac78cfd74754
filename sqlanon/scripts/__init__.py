"""A plan as one SQL script, in every dialect."""
