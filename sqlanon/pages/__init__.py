"""A report as a page: sections of text, tables and charts; it knows no releases."""
