"""What gunicorn loads."""

import os

from service.app import create_app
from service.config import Config

app = create_app(Config.from_env(os.environ))
