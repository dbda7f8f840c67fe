"""How hypothesis tries things here: the same examples in every run, on slow machines too."""

from hypothesis import settings

settings.register_profile("rules", deadline=None, derandomize=True)
settings.load_profile("rules")
