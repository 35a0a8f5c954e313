"""The REST API: what an administrator does in the browser, for programs, at /api/v1/."""
