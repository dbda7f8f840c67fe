"""The host's guide: its session goes as it says, with its bot, in real seconds."""

import re
from pathlib import Path

from tests.e2e.sessions import replay
from tests.servers import running_server

GUIDE = (Path(__file__).parents[2] / "docs" / "racing.md").read_text("utf-8")


def test_the_session_of_the_guide_for_hosts_goes_as_it_says(tmp_path):
    (bot,) = re.findall(r"^```python\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    (tmp_path / "bot.py").write_text(bot, "utf-8")
    with running_server(tmp_path) as url:
        shown, happened = replay(GUIDE, url, tmp_path)
    for step, other in zip(shown, happened, strict=True):
        assert other.output == step.output, step.command
