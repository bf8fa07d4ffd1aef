"""What the tests of the parlour games share."""

from __future__ import annotations

import hypothesis

# The first call of a kernel compiles it, which is no slow example.
hypothesis.settings.register_profile("tricktake-parlour", deadline=None, print_blob=True)
hypothesis.settings.load_profile("tricktake-parlour")
