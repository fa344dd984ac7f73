"""Whether a figure reaches its target."""


def verdict(value, comparison, target):
    reached = value >= target if comparison == "≥" else value <= target
    return f"target {comparison} {target:g}: {'reached' if reached else 'missed'}"
