"""Classes that fail as a whole, by several at once or by all records of a unit, are joined."""
