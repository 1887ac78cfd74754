"""What is about to be published, or any table: measured, judged, and held against its source."""
