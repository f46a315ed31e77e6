"""Search and Lookup over pages, with the action semantics of the ReAct paper's Wikipedia tool.

Yao et al., arXiv 2210.03629. One thing is added: where no page has the asked title, full-text
search answers and its best page is opened. The tool of the paper only said "Could not find".
"""

from __future__ import annotations

import re

from reactlab.errors import ToolError
from reactlab.tools.pageindex import PageIndex, embedded_index, is_ambiguous
from reactlab.tools.pages import Page, title_key
from reactlab.tools.sentences import join_sentences
from reactlab.tools.shipped import texts

SHOWN_SENTENCES = 5
ECHO_CHARS = 200
_WRAPPING = " \t\r\n\"'`“”‘’「」『』《》.。?？"


class Browser:
    """One run's reading: the page that is open and how far Lookup has got on it.

    `language` ("en" or "zh") is that of the fixed phrases, whatever the pages are written in.
    """

    def __init__(self, index: PageIndex, *, language: str = "en") -> None:
        self.index = index
        self.page: Page | None = None
        self._phrases = texts(language)["phrases"]
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
            return missing + self._similar(self.index.similar(query))
        self._open(found[0][0])
        lines = [self._say("matches", query=_echo(query))]
        lines += [self._say("match", title=p.title, text=join_sentences(s)) for p, s in found]
        return "\n".join(lines)

    def _meanings(self, page: Page) -> list[str]:
        """The titles that the page names and that contain its own, as they come, at most five."""
        title, text = title_key(page.title), title_key(page.text)
        keys = {title_key(other): other for other in self.index.pages.titles if other != page.title}
        named = [key for key in keys if title in key and key in text]
        return [keys[key] for key in sorted(named, key=text.find)[:5]]

    def _similar(self, titles: list[str]) -> str:
        return self._say("similar", titles=", ".join(map(repr, titles))) if titles else ""

    def _say(self, phrase: str, **values: object) -> str:
        return self._phrases[phrase].format(**values)


def search(query: str) -> str:
    """Look a title or a phrase up in the embedded encyclopaedia, once; nothing stays open.

    A query with Chinese characters is answered from the Chinese edition.
    """
    language = "zh" if re.search("[\u3400-\u9fff]", query) else "en"
    return Browser(embedded_index(language), language=language).search(query)


def _echo(query: str) -> str:
    """The query on one line, at most 200 characters, fit to be written as UTF-8."""
    line = " ".join(query.encode("utf-8", "replace").decode("utf-8").split())
    return line if len(line) <= ECHO_CHARS else line[: ECHO_CHARS - 1] + "…"
