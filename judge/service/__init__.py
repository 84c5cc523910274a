"""The imperative shell: sources, clock, closing, delivery, and the process that runs them.

`engine.assemble.assemble(config)`, then `engine.run.Service(parts)`: `heed_signals()`, `start()`, `wait_until_told()`.
"""
