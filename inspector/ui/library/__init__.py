"""The library on the screen: last night's sessions, whatever wrote them."""
