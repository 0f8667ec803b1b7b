"""What asks the person something: modal screens, each with a typed result."""
