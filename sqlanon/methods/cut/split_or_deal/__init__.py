"""Split-or-Deal: searched classes; and the deal tree, its dealt cuts alone."""
