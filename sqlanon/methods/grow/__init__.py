"""Methods that grow classes from records that lie near each other."""
