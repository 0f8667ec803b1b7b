"""The gate every write passes before anything is stored, in order: limits, secrets, screening,
tombstones, duplicates."""
