"""What the tests of the laboratory share."""

from __future__ import annotations

import hypothesis

# The first call of a kernel compiles it, which is no slow example.
hypothesis.settings.register_profile("tricktake-lab", deadline=None, print_blob=True)
hypothesis.settings.load_profile("tricktake-lab")
