"""Modules for all packages: files, fields, text for a screen. They know neither SQL nor data."""
