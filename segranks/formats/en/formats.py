"""22 November 2026, 14:05"""

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y, H:i"
