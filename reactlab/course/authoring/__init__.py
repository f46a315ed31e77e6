"""From one source to the four notebooks of a lesson: English and Chinese, exercises and solutions.

    python -m reactlab.course.build [05 ...]              build what is missing or out of date
    python -m reactlab.course.build --all                 execute and write everything again
    python -m reactlab.course.build --bless [05 ...]      the Chinese now says what the English says
    python -m reactlab.course.build --check               compare sources, write nothing (fast)
    python -m reactlab.course.build --check --execute     run all again and compare every byte

A source is `notebooks/source/NN_name.py` in jupytext's percent format, plain Python without magics:

- Prose stands twice, `# %% [markdown] lang="en"` and directly below it the same with `lang="zh"`.
- Code stands once and both editions share it. A pair with `lang=` as above is possible.
- A solution stands between `# BEGIN SOLUTION` and `# END SOLUTION`; lines `# STUB: ...` in
  there are what the learner gets instead, indented as the comment is.
- `tags=["raises-exception"]` marks a cell that must be allowed to fail. There are no other tags.
- `en="1a2b3c4d"` in a Chinese cell is the fingerprint of the English it translates, written by
  `--bless`. When the English changes, `--check` names the Chinese cell until it is blessed again.

How a notebook knows its edition: the first code cell calls `edition("en")`, and the build writes
`edition("zh")` there in the Chinese notebooks. So the choice is a visible line of ordinary code,
holds in any Jupyter, and a reader can change it. After it `example(...)` returns that edition's
case.

What is stored gives the same bytes on every run: cell ids come from the English text, a traceback
is reduced to its last line, widgets to their text; versions, times and streams' chunks are left
out. The kernel runs without the builder's API keys and `REACTLAB_*` settings.
`docs/authoring.md` shows a complete small source.
"""
