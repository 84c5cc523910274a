"""Make the drawings of the boards; the results are in `judge/maps`.

This package is not part of the product.
"""
