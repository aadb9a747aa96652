# Everything a person types. `make` alone says what there is.
CARGO ?= cargo
export CARGO
export RADDLE_ORACLES ?= $(HOME)/.cache/raddle/oracles

.DEFAULT_GOAL := help
.PHONY: help demo oracles test lint fmt figures corpus gpu-check campaign-native campaign-producers campaign-random campaign-c campaign-exhaustive campaign-seeded campaign-link campaign-objects campaign-fuzz campaign-jobs bench bench-code bench-link ci

help: ## What can be asked for
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "  make %-18s %s\n", $$1, $$2}'

demo: ## Compile a module of eight kernels, run one of them in interpreter and simulator
	@scripts/demo.sh

oracles: ## Install the outside tools that tests compare with, once (into a cache folder, never committed)
	@scripts/oracles.sh

test: ## Run all tests; what needs a missing outside tool is skipped, counted and printed
	@scripts/test.sh

lint: ## Formatting, clippy, documentation, licences, generated pages
	@scripts/lint.sh

fmt: ## Format the source
	@$(CARGO) fmt --all

figures: ## Write docs/figures.md from the records that campaigns left in docs/figures
	@$(CARGO) xtask figures

corpus: oracles ## Make the PTX of the corpus kernels again (needs nvcc and clang-19)
	@scripts/packages.sh clang-19=clang-19
	@$(CARGO) xtask corpus

gpu-check: oracles ## Build target/gpu-check: a folder that checks the corpus on a GPU, with libcuda alone
	@$(CARGO) xtask gpu-check

campaign-ptx: oracles ## Hold the PTX table, printer and parser against ptxas
	@$(CARGO) run --release --package xtask -- probe-ptx
	@$(CARGO) run --release --package xtask -- ptx-roundtrip
	@$(CARGO) run --release --package xtask -- mutate-ptx

campaign-sass: oracles ## Hold the instruction tables against nvdisasm
	@$(CARGO) run --release --package xtask -- words
	@$(CARGO) run --release --package xtask -- sass-campaign
	@$(CARGO) run --release --package xtask -- mine --count

campaign-sim: oracles ## Judge and measure interpreter and simulator
	@$(CARGO) run --release --package xtask -- interp-speed
	@$(CARGO) run --release --package xtask -- sim-figures
	@$(CARGO) run --release --package xtask -- sim-speed
	@$(CARGO) run --release --package xtask -- mutants

campaign-native: oracles ## Judge our own code of the corpus kernels and snippets at every level by simulator, interpreter and reference
	@$(CARGO) run --release --package xtask -- native-figures
	@$(CARGO) run --release --package xtask -- native-snippets

campaign-producers: oracles ## Compile the modules of real producers, say what they lack; then with ptxas behind us
	@$(CARGO) xtask producers
	@$(CARGO) xtask producers-fallback

campaign-random: ## Compile 100,000 random PTX kernels, run them in simulator and interpreter; 10,000 short ones through ptxas too (FUZZX=DIR: programs by its generator)
	@$(CARGO) run --release --package xtask -- random-ptx --count 100000 -j2
	@$(CARGO) run --release --package xtask -- random-folds --count 10000 -j2
	@[ -z "$(FUZZX)" ] || $(CARGO) run --release --package xtask -- fuzzx-generated --sources $(FUZZX) -j2

campaign-c: oracles ## Compile 2,000 random C programs by gcc for the host and by nvcc for PTX, hold them against each other
	@$(CARGO) run --release --package xtask -- random-c --count 2000 -j2

campaign-seeded: ## Plant 30 faults in a copy of our code generator, see which the tests find
	@$(CARGO) xtask seeded-bugs

campaign-exhaustive: ## Judge numeric operations of our own code on all their operands for an hour (it goes on where it was)
	@$(CARGO) run --release --package xtask -- exhaustive --minutes 50
	@$(CARGO) run --release --package xtask -- exhaustive --f64 --minutes 10
	@$(CARGO) run --release --package xtask -- exhaustive --record

campaign-link: oracles ## Link the corpus of objects beside nvlink, write docs/link.md
	@$(CARGO) xtask campaign-link

bench-link: oracles ## Time and memory of the device linker beside nvlink
	@$(CARGO) build --release -p raddle-cli
	@$(CARGO) xtask bench-link

campaign-objects: oracles ## Write cubins of ptxas back byte for byte over the corpus, and link them again
	@$(CARGO) xtask objects
	@$(CARGO) xtask objects older
	@RADDLE_LINK_STEP=1 $(CARGO) test -p raddle-link --test against_ptxas

bench-code: oracles ## Compare our machine code with that of ptxas -O3, kernel by kernel
	@$(CARGO) run --release --package xtask -- bench-code

bench: oracles ## Compile 320 kernels beside ptxas: time, speed-up, memory (a quiet machine, please)
	@$(CARGO) run --release --package xtask -- bench-compile

campaign-jobs: oracles ## Disorder, storms of memory and of signals: the concurrency core
	@$(CARGO) xtask chaos
	@$(CARGO) xtask memory-storm
	@$(CARGO) xtask signal-storm

campaign-fuzz: ## Mutate the corpus and give it to every reader for a minute each
	@$(CARGO) xtask fuzz 60

ci: ## What has to pass before a change lands
	@.ci/run
