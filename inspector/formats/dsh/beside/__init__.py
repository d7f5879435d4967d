"""What the owner keeps beside its sessions."""
