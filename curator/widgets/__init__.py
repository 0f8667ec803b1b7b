"""What draws cells and keeps scroll, cursor and marks. No store call, no formatting of raw text.

Each widget is fed view models and tells what the person did by messages; a screen only wires.
"""
