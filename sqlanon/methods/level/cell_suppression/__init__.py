"""Cell suppression: single values are withheld, as few as needed."""
