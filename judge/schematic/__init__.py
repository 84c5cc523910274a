"""Schematic drawings: a playable picture of any board, made from its borders.

Needs the extra `boards`.
"""
