"""What is said twice on a tape, and what is said beside its rows."""

from bisect import bisect_left

from inspector.columns import Column, unsigned


class Retellings:
    """The events that tell once more, word for word, what an earlier event told.

    An agent may write a message for the model and again for the person, or copy a message to
    another place; a person sees it once.

    Attributes:
        events: their positions, sorted.
        spoken: the positions of the events that make no row and tell the person what somebody
            said, sorted; those of the others left out.
    """

    def __init__(self) -> None:
        self.events: Column = unsigned()
        self.spoken: Column = unsigned()
        self._of: Column = unsigned()

    def add(self, event: int, of: int) -> None:
        """An event, behind all that were added, tells again what an earlier one did."""
        if of < event and not (self.events and self.events[-1] >= event):
            # Readers find it by its position, so that is what publishes it.
            self._of.append(of)
            self.events.append(event)

    def speak(self, event: int) -> None:
        """An event, behind all that were added, tells the person something nobody told before."""
        self.spoken.append(event)

    def of(self, event: int) -> int | None:
        """The earlier event that told the same, or None."""
        at = bisect_left(self.events, event)
        return self._of[at] if at < len(self.events) and self.events[at] == event else None

    def all_of(self, event: int) -> list[int]:
        """The later events that told the same as this one, in order."""
        told = self._of[: len(self.events)]
        return [one for one, of in zip(self.events, told, strict=False) if of == event]
