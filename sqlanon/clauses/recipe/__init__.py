"""A recipe: the levels or the cells of an earlier release, or how it dealt records out."""
