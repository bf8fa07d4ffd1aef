"""What the tests of Doppelkopf share."""

from __future__ import annotations

import hypothesis

# The first call of a kernel compiles it, which is no slow example.
hypothesis.settings.register_profile("tricktake-doppelkopf", deadline=None, print_blob=True)
hypothesis.settings.load_profile("tricktake-doppelkopf")
