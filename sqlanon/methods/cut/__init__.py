"""Methods that cut: from the whole table, each class into two or more."""
