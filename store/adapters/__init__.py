"""Other libraries' memory interfaces over an agent's view. Each needs its extra."""
