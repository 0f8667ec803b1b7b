"""Record → frozen view model of `Content` and figures. Pure functions; no widget, no store call.

Every word of the store passes through `curator.safe`; every width is in terminal cells.
"""
