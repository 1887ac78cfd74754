"""How long a run takes, as a ratio to sorting the same table in the same process."""
