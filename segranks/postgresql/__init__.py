"""PostgreSQL as an engine of Django's, with one question less for each request."""
