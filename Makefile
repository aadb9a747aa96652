# Everything a person types. `make` alone says what there is.
CARGO ?= cargo
export CARGO
export RADDLE_ORACLES ?= $(HOME)/.cache/raddle/oracles

.DEFAULT_GOAL := help
.PHONY: help demo demo-remote static try-farms libs wheel try-wheel dist package oracles callers test test-remote lint fmt figures corpus gpu-check campaigns campaign-ptx campaign-sass \
	campaign-sim campaign-native campaign-producers campaign-random campaign-c campaign-proofs campaign-seeded campaign-exhaustive campaign-link bench-link campaign-objects bench-code bench-real bench \
	campaign-jobs campaign-fuzz ci

help: ## What can be asked for
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "  make %-18s %s\n", $$1, $$2}'

demo-remote: ## Start an engine of remote execution with two workers, compile with it while one of them is killed
	@scripts/demo-remote.sh

static: ## Build a program for workers of remote execution that needs no loader, in target/static
	@scripts/static.sh

try-farms: ## Run the examples of examples/farm on Slurm, Ray and Dask, each on this machine (installs them)
	@scripts/farms.sh

demo: ## Compile a module of eight kernels, run one of them in interpreter and simulator
	@scripts/demo.sh

oracles: ## Install the outside tools that tests compare with, once (into a cache folder, never committed)
	@scripts/oracles.sh

callers: ## Install programs that call Raddle in tests, once (Triton; into a cache folder, never committed)
	@scripts/callers.sh

libs: ## Make the libraries with NVIDIA's C interfaces, with all optimisations, in target/libs
	@scripts/libs.sh target/libs

wheel: oracles ## Make the Python wheel, with all optimisations, the executable and the libraries, in target/wheel
	@$(CARGO) build --release --package raddle-cli
	@scripts/libs.sh target/libs
	@mkdir -p target/libs/bin && cp target/release/raddle target/libs/bin/
	@scripts/wheel.sh --programs target/libs target/wheel

try-wheel: ## Run the two commands of README.md with the wheel, in a clean environment (pip installs Triton and NumPy)
	@scripts/try-wheel.sh

dist: ## Make a tarball and a Debian package, with all optimisations, and try both, in target/dist
	@scripts/dist.sh

package: ## Pack the crates that are published; build and try the command from what is packed
	@scripts/package.sh --build

test: ## Run all tests; what needs a missing outside tool is skipped, counted and printed
	@scripts/test.sh

test-remote: ## Install servers of caches and engines of remote execution, and test with them
	@scripts/test-remote.sh

lint: ## Formatting, clippy, documentation, licences, generated pages
	@scripts/lint.sh

fmt: ## Format the source
	@$(CARGO) fmt --all

figures: ## Write docs/figures.md from the records that campaigns left in docs/figures
	@$(CARGO) xtask figures

corpus: oracles ## Make the PTX of the corpus kernels again (needs nvcc and clang-19)
	@scripts/packages.sh clang-19=clang-19
	@$(CARGO) campaign corpus

gpu-check: oracles ## Build target/gpu-check: a folder that checks the corpus on a GPU, with libcuda alone
	@$(CARGO) campaign gpu-check

campaigns: ## List all campaigns: what each shows, what it needs, how long it takes
	@$(CARGO) campaign list

campaign-ptx: oracles ## Hold the PTX table, printer and parser against ptxas
	@$(CARGO) campaign probe-ptx
	@$(CARGO) campaign ptx-roundtrip
	@$(CARGO) campaign mutate-ptx

campaign-sass: oracles ## Hold the instruction tables against nvdisasm
	@$(CARGO) campaign words
	@$(CARGO) campaign sass-campaign
	@$(CARGO) campaign mine --count

campaign-sim: oracles ## Judge and measure interpreter and simulator
	@$(CARGO) campaign interp-speed
	@$(CARGO) campaign sim-figures
	@$(CARGO) campaign sim-speed
	@$(CARGO) campaign mutants

campaign-native: oracles ## Judge our own code of the corpus kernels and snippets at every level by simulator, interpreter and reference
	@$(CARGO) campaign native-figures
	@$(CARGO) campaign native-snippets

campaign-producers: oracles ## Compile the modules of real producers, say what they lack; then with ptxas behind us
	@$(CARGO) campaign producers
	@$(CARGO) campaign producers-fallback

campaign-random: ## Compile 100,000 random PTX kernels, run them in simulator and interpreter; 10,000 short ones through ptxas too (FUZZX=DIR: programs by its generator)
	@$(CARGO) campaign random-ptx --count 100000 -j2
	@$(CARGO) campaign random-folds --count 10000 -j2
	@[ -z "$(FUZZX)" ] || $(CARGO) campaign fuzzx-generated --sources $(FUZZX) -j2

campaign-c: oracles ## Compile 2,000 random C programs by gcc for the host and by nvcc for PTX, hold them against each other
	@$(CARGO) campaign random-c --count 2000 -j2

campaign-proofs: oracles ## Prove the rules of fold, and that passes keep the meaning of the corpus kernels, by a solver
	@$(CARGO) campaign prove-rules
	@$(CARGO) campaign prove

campaign-seeded: ## Plant 30 faults in a copy of our code generator, see which the tests find
	@$(CARGO) campaign seeded-bugs

campaign-exhaustive: ## Judge numeric operations of our own code on all their operands for an hour (it goes on where it was)
	@$(CARGO) campaign exhaustive --minutes 50
	@$(CARGO) campaign exhaustive --f64 --minutes 10
	@$(CARGO) campaign exhaustive --record

campaign-link: oracles ## Link the corpus of objects beside nvlink, write docs/link.md
	@$(CARGO) campaign campaign-link

bench-link: oracles ## Time and memory of the device linker beside nvlink
	@$(CARGO) build --release -p raddle-cli
	@$(CARGO) campaign bench-link

campaign-objects: oracles ## Write cubins of ptxas back byte for byte over the corpus, and link them again
	@$(CARGO) campaign objects
	@$(CARGO) campaign objects older
	@RADDLE_LINK_STEP=1 $(CARGO) test -p raddle-link --test against_ptxas

bench-code: oracles ## Compare our machine code with that of ptxas -O3, kernel by kernel
	@$(CARGO) campaign bench-code

bench-real: oracles ## Compare our machine code of real programs with that of ptxas -O3 (SOURCES=DIR: checkouts of other projects)
	@$(CARGO) campaign bench-real --sources $(SOURCES)

bench: oracles ## Compile 320 kernels beside ptxas: time, speed-up, memory (a quiet machine, please)
	@$(CARGO) campaign bench-compile

campaign-jobs: oracles ## Disorder, storms of memory and of signals: the concurrency core
	@$(CARGO) campaign chaos
	@$(CARGO) campaign memory-storm
	@$(CARGO) campaign signal-storm

campaign-fuzz: ## Mutate the corpus and give it to every reader for a minute each
	@$(CARGO) campaign fuzz 60

ci: ## What has to pass before a change lands
	@.ci/run
