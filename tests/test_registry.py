"""Registries: empty where the spec's models are defined, opened once, and no longer."""

from __future__ import annotations

import subprocess
import sys
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from sqlanon.common.registry import Registry
from sqlanon.forms import FORMS
from sqlanon.methods import METHODS
from sqlanon.publish import PUBLICATIONS
from sqlanon.registries import open_registries
from sqlanon.spec import method, publication


class Red(BaseModel):
    name: Literal["red"] = "red"


class Blue(BaseModel):
    name: Literal["blue"] = "blue"
    depth: int = 1


def test_a_model_knows_what_is_there_when_the_registry_is_opened() -> None:
    registry = Registry[type[BaseModel]]("colours")

    class Painted(BaseModel):
        model_config = ConfigDict(defer_build=True)
        name: Annotated[str, registry.one_name]
        settings: Annotated[BaseModel, registry.one_entry]

    with pytest.raises(RuntimeError, match="the registry of colours is not open yet"):
        TypeAdapter(Annotated[str, registry.one_name])
    registry.open([("red", Red), ("blue", Blue)])
    assert registry.first == "red"
    found = Painted.model_validate({"name": "blue", "settings": {"name": "blue", "depth": 3}})
    assert found.settings == Blue(depth=3)
    with pytest.raises(ValidationError):
        Painted.model_validate({"name": "green", "settings": {"name": "red"}})


@pytest.mark.slow
def test_the_first_reader_opens_it_and_no_module_of_the_package_is_it_by_being_imported() -> None:
    program = """
import sqlanon
from sqlanon.common import registry
left = list(registry._openers)
assert len(left) == 1
import sqlanon.cli.commands as commands, sqlanon.registries
for one in commands.COMMANDS:
    one.load()
assert registry._openers == left, "a module reads a registry when it is imported"
from sqlanon.spec import publication
assert "interval" in publication.FORM_RULES and registry._openers == []
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_registry_is_opened_once_and_a_name_is_of_one() -> None:
    registry = Registry[int]("numbers")
    with pytest.raises(RuntimeError, match="two numbers are called 'one'"):
        registry.open([("one", 1), ("one", 2)])
    assert publication.FORM_RULES
    with pytest.raises(RuntimeError, match="is open already"):
        open_registries()


def test_the_registries_of_the_spec_have_what_the_package_has_in_its_order() -> None:
    assert list(publication.FORM_RULES) == list(FORMS)
    assert list(publication.RULES) == list(PUBLICATIONS)
    assert list(method.SETTINGS) == list(METHODS)
