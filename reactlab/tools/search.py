"""Search and Lookup over pages, with the action semantics of the ReAct paper's Wikipedia tool.

Yao et al., arXiv 2210.03629. One thing is added: where no page has the asked title, full-text
search answers and its best page is opened. The tool of the paper only said "Could not find".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reactlab.errors import ConfigError, ToolError
from reactlab.tools.pageindex import AMBIGUOUS, PageIndex, embedded_index, is_ambiguous
from reactlab.tools.pages import Page, title_key
from reactlab.tools.sentences import BULLET, join_sentences

SHOWN_SENTENCES = 5
SHOWN_TITLES = 5
ECHO_CHARS = 200

_PHRASES = {
    "en": {
        "matches": 'No page is titled "{query}". Best matches:',
        "match": "- {title}: {text}",
        "missing": "Could not find {query}.",
        "ambiguous": '"{query}" may refer to several pages.',
        "similar": " Similar: [{titles}].",
        "result": "(Result {i} / {n}) {sentence}",
        "no_more": "No more results.",
        "no_page": "No page is open yet. Use Search first, then Lookup.",
        "no_keyword": "Lookup needs a word to look for on the open page.",
    },
    "zh": {
        "matches": "没有标题为“{query}”的页面。最佳匹配：",
        "match": "- {title}：{text}",
        "missing": "找不到“{query}”。",
        "ambiguous": "“{query}”可以指几个页面。",
        "similar": "相近的页面：[{titles}]。",
        "result": "（结果 {i} / {n}）{sentence}",
        "no_more": "没有更多结果。",
        "no_page": "还没有打开任何页面。请先用 Search，再用 Lookup。",
        "no_keyword": "Lookup 需要一个要在当前页面里查找的词。",
    },
}
_WRAPPING = " \t\r\n\"'`“”‘’「」『』《》.。?？"


class Browser:
    """One run's reading: the page that is open and how far Lookup has got on it.

    `language` ("en" or "zh") is that of the fixed phrases, whatever the pages are written in.
    """

    def __init__(self, index: PageIndex, *, language: str = "en") -> None:
        if language not in _PHRASES:
            raise ConfigError(f"There is no language {language!r}; choose en or zh.")
        self.index = index
        self.page: Page | None = None
        self._phrases = _PHRASES[language]
        self._keyword = ""
        self._shown = 0

    def search(self, query: str) -> str:
        """Open the page with this title and return its first five sentences.

        Without such a page: the best matches by full text, and the best of them is opened, since
        a page that was found and shown is no failed search and Lookup should read on in it. A
        page that only lists what a title may refer to, or no match at all, leaves the old page
        and its Lookup position in place, as in the paper. Never raises.
        """
        page = self.index.pages.get(query) or self.index.pages.get(query.strip(_WRAPPING))
        if page is None:
            return self._full_text(query)
        if is_ambiguous(page) and (meanings := self._meanings(page)):
            return self._say("ambiguous", query=page.title) + self._similar(meanings)
        self._open(page)
        return join_sentences(page.sentences[:SHOWN_SENTENCES])

    def lookup(self, keyword: str) -> str:
        """Return the next sentence of the open page that holds `keyword`, whatever its case.

        Asking again for the same keyword goes on; another keyword starts anew. Raises `ToolError`
        when no page is open or the keyword is blank.
        """
        wanted = title_key(keyword)
        if self.page is None or not wanted:
            raise ToolError(self._say("no_page" if self.page is None else "no_keyword"))
        if wanted != self._keyword:
            self._keyword, self._shown = wanted, 0
        hits = [sentence for sentence in self.page.sentences if wanted in title_key(sentence)]
        if self._shown >= len(hits):
            return self._say("no_more")
        self._shown += 1
        hit = hits[self._shown - 1]
        return self._say("result", i=self._shown, n=len(hits), sentence=hit)

    def _open(self, page: Page) -> None:
        self.page, self._keyword, self._shown = page, "", 0

    def _full_text(self, query: str) -> str:
        found = self.index.best(query)
        if not found:
            missing = self._say("missing", query=_echo(query) or '""')
            return missing + self._similar(self.index.similar(query, SHOWN_TITLES))
        self._open(found[0][0])
        lines = [self._say("matches", query=_echo(query))]
        lines += [self._say("match", title=p.title, text=join_sentences(s)) for p, s in found]
        return "\n".join(lines)

    def _meanings(self, page: Page) -> list[str]:
        """The pages that a "may refer to" page lists, without itself."""
        entries = (self._entry(text) for text in _listed(page.text))
        titles = dict.fromkeys(entry.title for entry in entries if entry and entry != page)
        return list(titles)[:SHOWN_TITLES]

    def _entry(self, text: str) -> Page | None:
        """The page whose title `text` begins with; of several, the one with the longest."""
        ends = [match.start() for match in re.finditer(r"[^\w)）]|$", text[:ECHO_CHARS])]
        candidates = (self.index.pages.get(text[:end]) for end in reversed(ends) if end)
        return next((page for page in candidates if page), None)

    def _similar(self, titles: list[str]) -> str:
        if not titles:
            return ""
        return self._say("similar", titles=", ".join(repr(title) for title in titles))

    def _say(self, phrase: str, **values: object) -> str:
        return self._phrases[phrase].format(**values)


def search(query: str) -> str:
    """Look a title or a phrase up in the embedded encyclopaedia, once; nothing stays open.

    A query with Chinese characters is answered from the Chinese edition.
    """
    language = "zh" if re.search("[\u3400-\u9fff]", query) else "en"
    return Browser(embedded_index(language), language=language).search(query)


def _listed(text: str) -> Iterator[str]:
    """The list items of a "may refer to" page, or the comma-separated parts of its prose."""
    lines = [line for line in AMBIGUOUS.split(text, maxsplit=1)[-1].splitlines() if line.strip()]
    for line in lines:
        parts = [line] if len(lines) > 1 else re.split(r"[,;，；、]|\bor\b|\band\b|或|和", line)
        for part in parts:
            start = bullet.end() if (bullet := BULLET.match(part)) else 0
            bare = re.sub(r"[\[\]*_`]", "", part[start:]).strip(" \t.。")
            yield re.sub(r"^(?:(?:or|and)\s+)+", "", bare, flags=re.I)


def _echo(query: str) -> str:
    """The query on one line, at most 200 characters, fit to be written as UTF-8."""
    line = " ".join(query[: 20 * ECHO_CHARS].split())
    short = line if len(line) <= ECHO_CHARS else line[: ECHO_CHARS - 1] + "…"
    return short.encode("utf-8", "replace").decode("utf-8")
