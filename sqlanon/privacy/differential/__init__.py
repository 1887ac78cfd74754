"""The arithmetic of differential privacy: whole numbers and fractions, and no floating point.

A draw is one of ``DRAWS`` equally likely numbers. A mechanism says which of them lead to
which result, so that every probability is a count of them, and a bound can be proved of the counts.
"""
