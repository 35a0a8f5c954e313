"""22. 11. 2026 14:05"""

DATE_FORMAT = "j. n. Y"
DATETIME_FORMAT = "j. n. Y G:i"
