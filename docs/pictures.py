"""Draw the pictures of the READMEs from real runs: `python docs/pictures.py`."""

from __future__ import annotations

from pathlib import Path

from reactlab import FlightAgent, SimulatedLLM
from reactlab.display import as_svg

HERE = Path(__file__).parent
QUESTIONS = {
    "en": "My order number is 12345. My 7:00 flight is delayed, I have a meeting in Beijing at "
    "17:00, and I cannot leave before noon. Please rebook me.",
    "zh": "我的订单号是12345，7点的航班延误了。我17:00在北京有会，中午之前走不了，请帮我改签。",
}
FILES = {"en": "run.svg", "zh": "run.zh.svg"}

for language, question in QUESTIONS.items():
    agent = FlightAgent(SimulatedLLM(), approve="always", language=language)
    picture = as_svg(agent.run(question), language=language, limit=240)
    (HERE / FILES[language]).write_text(picture, encoding="utf-8", newline="\n")
