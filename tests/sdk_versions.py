"""Try the lowest and the highest SDK that the package allows, each in an environment of its own.

Run by hand, since it installs packages: `python tests/sdk_versions.py`. Needs the program uv.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROXIES = {"HTTP_PROXY": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9"}
SETTINGS = (
    {},
    PROXIES,
    {**PROXIES, "NO_PROXY": "localhost,127.0.0.1"},
    {"ALL_PROXY": "socks5://x"},
)

CHECK = """
import asyncio, sys, warnings
from importlib.metadata import version
warnings.simplefilter("error")
sys.path.insert(0, "tests")
import openai
from http_server import chat, serve
from reactlab import OpenAILLM, ReActAgentFunctionCall

def status() -> str:
    "Say how it is."
    return "fine"

with serve(lambda body: chat("done"), streams=True) as (web, seen):
    for own in (False, True)[: 1 + ("--own" in sys.argv)]:
        client = openai.OpenAI(base_url=web, api_key="k") if own else None
        llm = OpenAILLM("m", base_url=None if own else web, client=client)
        agent = ReActAgentFunctionCall(llm, [status])
        assert str(agent.run("q")) == "done"
        assert str(asyncio.run(agent.arun("q"))) == "done"
        assert str(list(agent.iter("q"))[0].item) == "done"
        if own:
            client.close()
print(*(f"{name} {version(name)}" for name in ("openai", "httpx", "pydantic")))
"""


def main() -> int:
    """Build, check, tell; 1 if anything failed."""
    failed = 0
    for resolution in ("lowest-direct", "highest"):
        with tempfile.TemporaryDirectory() as folder:
            python = Path(folder, "bin", "python")
            subprocess.run(["uv", "venv", "-q", folder], check=True)
            install = ["uv", "pip", "install", "-q", "--python", str(python)]
            subprocess.run([*install, "--resolution", resolution, str(ROOT)], check=True)
            for settings in SETTINGS:
                env = {k: v for k, v in os.environ.items() if "PROXY" not in k.upper()}
                own = [] if settings else ["--own"]
                done = subprocess.run(
                    [str(python), "-c", CHECK, *own], env={**env, **settings}, cwd=ROOT, text=True,
                    capture_output=True, check=False,
                )  # fmt: skip
                print(resolution, settings, done.stdout.strip() or done.stderr[-2000:])
                failed += done.returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
