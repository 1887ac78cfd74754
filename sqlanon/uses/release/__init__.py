"""Making a release: the run, what it records of itself, and the same as one SQL script."""
