"""Work in units, whatever the work is: over processes of our own, each result once, and how far it is."""
