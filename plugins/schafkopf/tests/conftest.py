"""What the tests of Schafkopf share."""

from __future__ import annotations

import hypothesis

# The first call of a kernel compiles it, which is no slow example.
hypothesis.settings.register_profile("tricktake-schafkopf", deadline=None, print_blob=True)
hypothesis.settings.load_profile("tricktake-schafkopf")
