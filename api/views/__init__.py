"""The views: each reads the request, calls a service and serializes the result."""
