"""The resources: each says who may, reads what was sent, calls a service and shows what it is."""
