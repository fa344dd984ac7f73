"""The benchmark behind scripts/bench: the same work done by peers and by this worker, side by side, in one run."""
