"""Collections of what nobody needs any more, kept out of the way of a screen that starts."""

import gc


def settle_memory() -> None:
    """Before the screen's modules are imported: collections while a thousand of them come, and
    later over what was imported, are the longest frames there are.
    """
    gc.disable()


def steady_memory() -> None:
    """When they are imported. What an earlier screen left is given back first."""
    if gc.get_freeze_count():
        gc.collect()
    else:
        gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()
