"""The outlook on a release before it is made: its size, what can be met, and at what loss."""
