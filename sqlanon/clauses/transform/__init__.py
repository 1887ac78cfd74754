"""Transforms: values are changed before anything is made of them."""
