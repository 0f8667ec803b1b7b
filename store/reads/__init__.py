"""Reading memories. Every read passes through the one predicate built from a grant (law 4)."""
