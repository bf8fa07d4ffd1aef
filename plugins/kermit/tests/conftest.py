"""What the tests of Kermit share."""

from __future__ import annotations

import hypothesis

# The first call of a kernel compiles it, which is no slow example.
hypothesis.settings.register_profile("tricktake-kermit", deadline=None, print_blob=True, derandomize=True)
hypothesis.settings.load_profile("tricktake-kermit")
