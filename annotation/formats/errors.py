"""The one error that bad input raises."""


class InputError(ValueError):
    """What people gave cannot be used; the message says what is wrong, where, and what to do."""
