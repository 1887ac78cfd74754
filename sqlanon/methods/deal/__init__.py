"""Methods that deal records out to classes in an order."""
