"""A copy of all that an installation holds, in one file that any of its databases can take back."""

from operations.backups.restoring import Restored, restore
from operations.backups.writing import backup

__all__ = ["Restored", "backup", "restore"]
