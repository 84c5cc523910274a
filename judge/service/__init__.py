"""The imperative shell: sources, clock, closing, delivery, and the process that runs them.

`assemble(config)`, then `Service(parts)`: `heed_signals()`, `start()`, `wait_until_told()`.
"""

from judge.service.engine.assemble import Parts, assemble
from judge.service.engine.part import Part
from judge.service.engine.run import Service

__all__ = ["Part", "Parts", "Service", "assemble"]
