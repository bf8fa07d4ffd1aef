"""Game records and the formats they are written in."""
