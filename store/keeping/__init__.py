"""What a person keeps to come back to: saved searches and standing questions."""
