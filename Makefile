# Everything a person types. `make` alone says what there is.
CARGO ?= cargo
export RADDLE_ORACLES ?= $(HOME)/.cache/raddle/oracles

.DEFAULT_GOAL := help
.PHONY: help oracles

help: ## What can be asked for
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "  make %-18s %s\n", $$1, $$2}'

oracles: ## Install the outside tools that tests compare with, once (into a cache folder, never committed)
	@scripts/oracles.sh

.PHONY: figures
figures: ## Write docs/figures.md from the records that campaigns left in docs/figures
	@$(CARGO) xtask figures
