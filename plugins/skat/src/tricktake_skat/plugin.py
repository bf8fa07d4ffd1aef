"""What Skat registers."""
