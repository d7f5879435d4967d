"""What records do beside the surface."""
