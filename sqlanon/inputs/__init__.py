"""Where records are: a source as a spec names it, and the files that it stands for."""
