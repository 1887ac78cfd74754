"""Files of a release for readers without a database: data, certificate, and verifying them."""
