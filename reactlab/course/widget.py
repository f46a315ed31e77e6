"""Being the model with a text field and two buttons, where Python and ipywidgets run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from reactlab.course.console import BOX, Console, written
from reactlab.course.words import Both, current
from reactlab.prompts import words
from reactlab.render.html import shown


class Desk:
    """The console with a field for the next move; `moves` is the list that it has made so far.

    Where ipywidgets is missing, and in a stored notebook, it is the console of those moves.
    """

    def __init__(self, question: str, tools: Iterable[Any], moves: Sequence[str]) -> None:
        self.question, self.tools = question, list(tools)
        self.console = Console(question, self.tools, moves)
        self.moves = written(moves)

    def send(self, move: str) -> bool:
        """Play one more move; False if it was none, or if the run is over."""
        if self.console.over:
            return False
        tried = Console(self.question, self.tools, [*self.moves, move])
        added = tried.number > self.console.number or tried.over
        self.moves += [move] if added else []
        self.console = tried
        return added

    def take_back(self) -> str:
        """Take back the last move, and return it."""
        last = self.moves.pop() if self.moves else ""
        self.console = Console(self.question, self.tools, self.moves)
        return last

    @property
    def kept(self) -> str:
        """The moves as Python, to be kept in a cell."""
        lines = "".join(f"    {move!r},\n" for move in self.moves)
        return f"moves = [\n{lines}]"

    def __repr__(self) -> str:
        return repr(self.console)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        stored = {"text/plain": repr(self), "text/html": self.console._repr_html_()}
        try:
            return dict(self.box()._repr_mimebundle_()) | stored
        except ImportError:
            return stored

    def box(self) -> Any:
        """The widget. Raises `ImportError` without ipywidgets."""
        import ipywidgets as widgets  # type: ignore[import-untyped, unused-ignore]

        prompt, kept = widgets.HTML(), widgets.HTML()
        wide = widgets.Layout(width="98%")
        field = widgets.Textarea(rows=3, layout=wide)
        send = widgets.Button(description=str(_SEND), button_style="primary")
        back = widgets.Button(description=str(_BACK))
        said, language = words(current()), current()
        blank = f"{said.thought}\n{said.action}"

        def show(text: str) -> None:
            prompt.value = self.console._repr_html_()
            kept.value = f'<div lang="{language}">{_KEEP}<pre {BOX}>{shown(self.kept)}</pre></div>'
            field.value, field.disabled = text, self.console.over
            send.disabled, back.disabled = self.console.over, not self.moves

        def play(_: Any) -> None:
            typed = field.value
            filled = typed.strip() != blank.strip()
            show(blank if filled and self.send(typed) else typed)

        send.on_click(play)
        back.on_click(lambda _: show(self.take_back()))
        show(blank)
        return widgets.VBox([prompt, field, widgets.HBox([send, back]), kept])


def be_the_model(
    question: str, tools: Iterable[Any], moves: Sequence[str] = (), *, buttons: bool = False
) -> Console | Desk:
    """Replay your own moves as the model's replies, and show the prompt that comes next.

    With `buttons`, and where ipywidgets is installed, a field and buttons take further moves.
    """
    return (Desk if buttons else Console)(question, tools, moves)


_SEND = Both("Send", "发送")
_BACK = Both("Take back", "撤回")
_KEEP = Both("Your moves so far, to keep in the cell:", "到目前为止你写的内容，可以留在单元格里：")
