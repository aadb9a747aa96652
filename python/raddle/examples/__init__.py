"""Programs to start with: `python -m raddle.examples.attention`."""
