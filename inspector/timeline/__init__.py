"""The time index: one forward fold, after which every cursor is a query.

Knows no agent and no screen. A format speaks to the `Builder` in effects; everything else asks the
`Timeline`.
"""
