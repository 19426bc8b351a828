"""The reduction from MUS membership to PI membership for DNFs, put to one formula: which of its readings hold, and why."""
