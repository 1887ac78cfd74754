"""Charts of what was measured, as SVG and as text; they know points and no releases."""
