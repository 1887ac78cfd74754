"""Releases side by side: what each reached, what it cost, and in what they were asked otherwise."""
