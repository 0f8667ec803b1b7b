"""What is odd about a text before it is stored: characters that cannot be seen, orders to a
terminal or a model, letters that pass for others, personal data.

Screening only finds; what happens then is the scope's policy (store/gate/screening/deciding.py).
It prefers to miss a strange one over flagging an ordinary note.
"""
