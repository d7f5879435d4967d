"""``python -m inspector``."""

from inspector.cli import main

main()
