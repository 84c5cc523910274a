"""The running parts: intake, closing, delivery, the clock, and the watch over them."""
