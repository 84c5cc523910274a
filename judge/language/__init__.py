"""Text to commands and orders: lenient, bilingual, one line at a time; what is wrong is a value.

See `read`.
"""

from judge.language.faults import Fault, FaultKind
from judge.language.line import ReadLine
from judge.language.meaning import Context
from judge.language.reading import read

__all__ = ["Context", "Fault", "FaultKind", "ReadLine", "read"]
