"""The uses of a table or a release, a package each: to make one, to attack it, to report on it."""
