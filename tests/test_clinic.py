"""The trace clinic: patients are real runs, and a diagnosis is a step and a cause."""

from __future__ import annotations

import pytest

from reactlab.course import check, clinic
from reactlab.course.clinic import CAUSES
from reactlab.course.words import current
from reactlab.errors import ConfigError


@pytest.mark.usefixtures("language")
def test_every_patient_answered_and_has_its_fault_in_a_step_that_it_has():
    for patient in clinic("06").values():
        assert patient.trace.answer
        assert 1 <= patient.step <= len(patient.trace)
        assert patient.cause in CAUSES
        assert not any(seen.error for step in patient.trace for seen in step.observations)


def test_the_clinic_shows_runs_and_causes_in_the_words_of_the_edition(language):
    shown = clinic("06")
    for text in (repr(shown), shown._repr_html_()):
        assert {"en": "Thought", "zh": "思考"}[language] in text
        assert {"en": "Thought", "zh": "思考"}[{"en": "zh", "zh": "en"}[language]] not in text
        assert all(str(cause) in text for cause in CAUSES.values())


def test_what_is_right_is_explained_and_the_rest_waits(language, capsys):
    clinic("06").explain({"B": (2, "输入有误"), "A": (1, "invented")})
    first, second, third = capsys.readouterr().out.splitlines()
    assert "23456" in second
    assert first[2:].strip() == third[2:].strip()


def test_a_diagnosis_with_open_places_is_not_done_unless_one_is_wrong(language, capsys, tmp_path):
    open_place = {"A": (..., "…"), "B": (2, "wrong input")}
    check("06.3", open_place)
    assert capsys.readouterr().out.startswith("○")
    check("06.3", open_place | {"B": (1, "wrong input")})
    assert capsys.readouterr().out.startswith("✗")


def test_a_clinic_of_a_notebook_without_patients_says_what_there_is():
    with pytest.raises(ConfigError, match=r"There is no example '05\.patients'"):
        clinic("05")
    assert current() == "en"
