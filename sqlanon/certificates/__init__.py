"""Files of a release for whoever has no database: data, certificate, and verifying them."""
