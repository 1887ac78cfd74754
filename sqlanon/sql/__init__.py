"""Names, templates and dialects: everything that turns a plan into SQL text."""
