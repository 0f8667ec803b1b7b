"""The places. A screen reacts to keys by asking for something, and wires; it formats nothing."""
