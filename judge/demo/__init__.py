"""`judge demo`: a whole game by real mail on this machine."""

from judge.demo.play import play_demo

__all__ = ["play_demo"]
