"""Carving: along the lattice, fine to coarse, take from every group the largest class it can give.

sqlanon, Carve §4. Of a group's open records the largest part that meets every model becomes a
class; its surplus waits for a coarser node. Classes are taken as long as the remainder stays
splittable, so what is left over at the end is one more class. Without a sensitive attribute a group
of k is taken whole.
"""
