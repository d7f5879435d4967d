"""The estimate of tokens where an owner has none of its own, or this one: bytes of text by four."""


def of_bytes(length: int) -> int:
    """The tokens of so many bytes, rounded up."""
    return (length + 3) // 4


def of_text(text: str) -> int:
    """The tokens of a text by the bytes of its UTF-8."""
    if text.isascii():
        return (len(text) + 3) // 4
    return (len(text.encode("utf-8", "surrogatepass")) + 3) // 4
