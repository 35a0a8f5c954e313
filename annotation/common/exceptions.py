"""Errors that several apps raise for the same reason."""


class NotPossible(Exception):
    """The current state or the role of the user does not allow it; the message is for people."""


class Busy(Exception):
    """The same request can be answered in a few seconds; the message is for people."""
