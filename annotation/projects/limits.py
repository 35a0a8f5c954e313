"""The maximum lengths of texts about a project."""

from annotation.models import Project

LONGEST_NAME = Project._meta.get_field("name").max_length
LONGEST_DESCRIPTION = 5_000
LONGEST_INSTRUCTIONS = 20_000


def with_plain_line_ends(text: str) -> str:
    """Return the text with LF line ends; HTML forms send CR LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
