"""From a source to the records read of it: its columns by their roles, transformed."""
