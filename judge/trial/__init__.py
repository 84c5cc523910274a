"""`judge try`: a judge for one person and six robots, in one terminal."""
