"""What runs: mail taken in and worked, phases closed, the clock, and a watch over all of it."""
