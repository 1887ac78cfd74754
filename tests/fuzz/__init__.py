"""Random releases over all methods, models, forms and types, judged by an independent oracle."""
