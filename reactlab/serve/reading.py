"""The server's side of the OpenAI chat API, going in: a client's JSON body read as a request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, InstanceOf, ValidationError

from reactlab.errors import ReactlabError
from reactlab.types import Message, Request, ToolCall

UNSERVED: Mapping[str, tuple[Any, ...]] = {
    "n": (1,),
    "response_format": ({"type": "text"},),
    "modalities": (["text"],),
    "audio": (),
    "logprobs": (False,),
    "top_logprobs": (0,),
    "functions": ([],),
    "function_call": ("auto", "none"),
    "web_search_options": (),
}
"""What would change the reply and no model here can do, with the values that ask for nothing.

Any other field that is not read here is ignored.
"""
KINDS = {429: "rate_limit", 401: "authentication", 404: "not_found"}
Tools = tuple[Mapping[str, Any], ...]


class Rejected(ReactlabError):
    """The client's request is not carried out; the fields are those of the API's errors."""

    def __init__(
        self,
        message: str,
        parameter: str = "",
        *,
        status: int = 400,
        code: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.parameter, self.status, self.code = parameter, status, code
        self.headers = dict(headers or {})

    def body(self) -> dict[str, Any]:
        """The error in the shape that the SDK reads."""
        kind = KINDS.get(self.status) or ("invalid_request" if self.status < 500 else "server")
        told = {"message": self.message, "type": f"{kind}_error"}
        return {"error": {**told, "param": self.parameter or None, "code": self.code or None}}


@dataclass(frozen=True)
class Asked:
    """A chat request as it was read: what goes to the model, and how the reply is wanted.

    `must_call` says that a reply without a call is none; `one_call` that one call is enough.
    """

    request: Request
    stream: bool = False
    usage: bool = False
    must_call: bool = False
    one_call: bool = False


def _parts(content: Any) -> Any:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _words(given: Any) -> Any:
    return [given] if isinstance(given, str) else given


def _nonempty(words: list[str]) -> list[str]:
    if "" in words:
        raise ValueError("an empty text stands everywhere")
    return words


Text = InstanceOf[str]  # a plain `str` would refuse half a surrogate pair, which JSON can hold
Word = Annotated[Text, Field(min_length=1)]
Limit = Annotated[int, Field(ge=1, strict=True)]


class _Function(BaseModel):
    name: Word
    arguments: Text


class _Call(BaseModel):
    id: Word
    function: _Function


class _Part(BaseModel):
    type: Literal["text", "refusal"]
    text: Text = ""
    refusal: Text = ""


class _Message(BaseModel):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: Annotated[list[_Part], BeforeValidator(_parts)] | None = None
    refusal: Text | None = None
    tool_calls: list[_Call] | None = None
    tool_call_id: Text | None = None
    reasoning_content: Any = None
    reasoning: Any = None


class _Offered(BaseModel):
    name: Word


class _Tool(BaseModel):
    type: Literal["function"]
    function: _Offered


class _StreamOptions(BaseModel):
    include_usage: bool | None = None


class _Body(BaseModel):
    """The fields that are read, in the API's names."""

    model: Word
    messages: Annotated[list[_Message], Field(min_length=1)]
    tools: list[_Tool] | None = None
    parallel_tool_calls: bool | None = None
    stop: (
        Annotated[
            list[Text], BeforeValidator(_words), AfterValidator(_nonempty), Field(max_length=4)
        ]
        | None
    ) = None
    temperature: Annotated[float, Field(ge=0, le=2, strict=True)] | None = None
    max_tokens: Limit | None = None
    max_completion_tokens: Limit | None = None
    stream: bool | None = None
    stream_options: _StreamOptions | None = None


def read(body: Any) -> Asked:
    """The request in a client's JSON body; raises `Rejected`."""
    try:
        given = _Body.model_validate(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = "".join(f"[{at}]" if isinstance(at, int) else f".{at}" for at in first["loc"])[1:]
        raise Rejected(f"{where or 'The body'}: {first['msg']}.", where) from None
    for name, harmless in UNSERVED.items():
        if (value := body.get(name)) not in (None, *harmless):
            told = f"This server cannot honour {name} = {str(value)[:60]!r}."
            raise Rejected(told, name, code="unsupported_value")
    tools, must_call = _choice(body.get("tool_choice"), tuple(body.get("tools") or ()))
    messages = tuple(_message(f"messages[{at}]", one) for at, one in enumerate(given.messages))
    _check_ids(messages)
    request = Request(
        messages=messages,
        tools=tools,
        stop=tuple(given.stop or ()),
        temperature=given.temperature,
        max_tokens=given.max_completion_tokens or given.max_tokens,
    )
    return Asked(
        request,
        stream=bool(given.stream),
        usage=bool(given.stream_options and given.stream_options.include_usage),
        must_call=must_call,
        one_call=given.parallel_tool_calls is False,
    )


def _message(where: str, given: _Message) -> Message:
    content = given.refusal
    if given.content is not None:
        content = "".join(part.text or part.refusal for part in given.content)
    calls = given.tool_calls or []
    if content is None and not calls:
        raise Rejected(f"{where}.content has to be a text, or a list of parts.", f"{where}.content")
    thought = given.reasoning_content or given.reasoning  # clients use either field
    return Message(
        role="system" if given.role == "developer" else given.role,
        content=content,
        calls=tuple(ToolCall(one.function.name, one.function.arguments, one.id) for one in calls),
        call_id=(given.tool_call_id or "") if given.role == "tool" else "",
        reasoning=thought if isinstance(thought, str) else "",
    )


def _check_ids(messages: tuple[Message, ...]) -> None:
    """Each call has to be answered directly after it, under its id, as the hosted API demands."""
    open_ids: list[str] = []
    for number, message in enumerate(messages):
        if message.role == "tool":
            if message.call_id not in open_ids:
                raise Rejected(
                    f"messages[{number}] with role 'tool' must be a response to a preceding "
                    f"message with 'tool_calls'; {message.call_id!r} is no open call.",
                    f"messages[{number}].tool_call_id",
                )
            open_ids.remove(message.call_id)
            continue
        if open_ids:
            break
        open_ids = [call.id for call in message.calls]
    if open_ids:
        raise Rejected(
            "An assistant message with 'tool_calls' must be followed by tool messages responding "
            "to each 'tool_call_id'. The following tool_call_ids did not have response messages: "
            + ", ".join(open_ids),
            "messages",
        )


def _choice(choice: Any, tools: Tools) -> tuple[Tools, bool]:
    """The tools that the model is offered, and whether it has to call one."""
    if choice is not None and not tools:
        raise Rejected("tool_choice is only allowed when tools are specified.", "tool_choice")
    if choice in (None, "auto", "required", "none"):
        return (() if choice == "none" else tools), choice == "required"
    wanted = choice.get("function") if isinstance(choice, dict) else None
    name = wanted.get("name") if isinstance(wanted, dict) else None
    named = tuple(tool for tool in tools if tool["function"]["name"] == name)
    if not named:
        raise Rejected("tool_choice names none of the tools.", "tool_choice")
    return named, True
