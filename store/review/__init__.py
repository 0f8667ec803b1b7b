"""Review: what a person is asked to decide, and how it is found.

`differences.compare` says what two texts have to do with each other, by rules and word lists;
`candidates` finds the pairs worth comparing, `clusters` what may be merged together.
"""
