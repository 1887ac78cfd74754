"""BigQuery: the engine, its connection, how it publishes, and what its errors may say."""
