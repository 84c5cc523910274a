"""How the drawings of the boards are made. Not a part of the product: what it makes lies in `judge/maps`."""
