"""Tokens of a stored text."""


def split_tokens(tokens: str) -> list[str]:
    """Return the tokens of a stored text; none for an empty one."""
    return tokens.split(" ") if tokens else []
