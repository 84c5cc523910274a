"""Schematic drawings: the border graph of any board as a picture to play from. Needs the extra `boards`."""
