"""From a spec to the whole plan of a release, the gate included."""
