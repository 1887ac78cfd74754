"""What a run keeps beside its release, whose it is, and how it is read again."""
