"""Stack & Deal: classes of equal counts, dealt blindly or among neighbours."""
