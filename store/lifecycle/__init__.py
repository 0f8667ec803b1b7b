"""What may happen to a memory. Each verb is one transaction with its events."""
