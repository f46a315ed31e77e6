# Every target is a task of tasks.py. Without make: python tasks.py NAME.
PYTHON ?= python3
ARGS ?=

.PHONY: help start test test-all lint types unit notebooks check-notebooks nbval size clean

help start test test-all lint types unit notebooks check-notebooks nbval size clean:
	@$(PYTHON) tasks.py $@ $(ARGS)
