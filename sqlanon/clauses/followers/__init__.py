"""Followers: quasi-identifiers whose cells follow those of another, by which classes form."""
