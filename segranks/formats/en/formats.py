"""Nov 22, 2026, 2:05 PM"""

DATE_FORMAT = "M j, Y"
DATETIME_FORMAT = "M j, Y, g:i A"
