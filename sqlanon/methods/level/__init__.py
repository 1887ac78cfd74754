"""Methods that choose levels of hierarchies, for the whole table or for parts of it."""
