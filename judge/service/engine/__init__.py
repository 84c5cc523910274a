"""The running parts: intake and handling of mail, closing of phases, the clock, and the watch over all of it."""
