# Two commands do everything on a fresh Debian 12: `make demo` and `make test`.

# Outside the checkout, so that fresh clones reuse what is built.
CARGO_TARGET_DIR ?= $(HOME)/.cache/kibitzer/target
export CARGO_TARGET_DIR

KIBITZER = $(CARGO_TARGET_DIR)/debug/kibitzer

.PHONY: demo test test-hardware build install golden install-packages-build install-packages-test fmt \
	firmware fuzz prove prove-flood prove-seeing prove-boards prove-seeing-others prove-loop prove-watch \
	prove-tetris prove-tetris-seeing prove-rig prove-tetris-real prove-connect4 prove-gomoku \
	prove-triplex prove-duel-rig prove-duel-real prove-web-games prove-serve prove-pages \
	prove-kills pictures

# The main job with nothing but the machine: the built-in Tetris seen through a simulated webcam
# and played through a simulated relay keyboard; the dashboard's address is the first line.
demo: build
	$(KIBITZER) demo --dashboard 127.0.0.1:0

# Everything a change must pass; ends with the summary lines of cargo test.
test: install-packages-test
	cargo fmt --check
	cargo clippy --all-targets --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --quiet
	cargo test

# Cameras and relays with the drivers of a real kernel, in a machine that qemu emulates: the program
# finds, sets and watches cameras that freeze, hang and are pulled out, and plays the rig. No KVM, no
# module in the kernel of this machine (about 6 minutes; the guest is built once, 1 minute more).
test-hardware: build
	@.ci/setup hardware
	tests/hardware/run.py

build: install-packages-build
	cargo build

# Puts the program where the shell finds it.
PREFIX ?= $(HOME)/.local
install: build
	install -D $(KIBITZER) $(PREFIX)/bin/kibitzer

install-packages-build:
	@.ci/setup build

install-packages-test:
	@.ci/setup test

fmt:
	cargo fmt

# Every parser under a coverage-guided fuzzer, so many seconds each (tests/fuzzing).
# About an hour and a half for all.
SECONDS_EACH ?= 600
fuzz: install-packages-build
	SECONDS_EACH=$(SECONDS_EACH) tests/fuzzing/run.sh

# The relay board's firmware (hardware/arduino.md).
firmware: install-packages-test
	$(MAKE) -C hardware/firmware check all OUT=$(CARGO_TARGET_DIR)/firmware

# Writes the golden pictures anew; look at them before committing.
golden:
	KIBITZER_GOLDEN=write cargo test golden::

# The pages in a real browser, judged by axe-core against WCAG A and AA (1 minute). npm puts it beside
# what is built; pictures of the pages are left there, too.
AXE = $(CARGO_TARGET_DIR)/axe
prove-pages: build install-packages-test
	@command -v npm >/dev/null || { echo "prove-pages: npm is missing: apt-get install npm" >&2; exit 1; }
	@mkdir -p $(AXE)/pictures
	npm install --no-save --no-audit --no-fund --silent --prefix $(AXE) axe-core@4
	KIBITZER_SHOTS=$(AXE)/pictures KIBITZER_AXE=$(AXE)/node_modules/axe-core/axe.min.js cargo test --test kibitzer web::axe -- --ignored

# The pictures of the README, taken of a daemon that plays, in a real browser (a minute).
pictures: build install-packages-test
	KIBITZER_PICTURES=$(CURDIR)/.readme cargo test --test kibitzer web::pictures -- --ignored

# The figures that must hold, measured; each fails when its line is missed.

prove: prove-flood prove-seeing prove-boards prove-loop prove-watch prove-tetris prove-tetris-seeing prove-rig \
	prove-tetris-real prove-connect4 prove-gomoku prove-triplex prove-duel-rig prove-duel-real prove-web-games prove-serve

# Flood-It policies: optimal totals, cost per board, strength; harder boards within published times
# and bounded memory (about 4 minutes).
prove-flood: build
	$(KIBITZER) bench flood --prove
	$(KIBITZER) bench flood --hard --policy optimal --prove
	@for set in $(wildcard ../shared/data/flood/pc19_tiles.txt); do \
		$(KIBITZER) bench flood --prove --boards $$set || exit 1; done

# Boards found and cells read: screenshots of a real game, camera views, pictures without a board.
prove-seeing: build install-packages-test
	for set in real pictures camera none screenshots; do \
		$(KIBITZER) bench seeing --set $$set --prove || exit 1; done

# More than a thousand generated pictures of boards of all kinds under named conditions, and pictures
# that only look like boards; every set is looked at, also after one that fails. Not all hold yet.
prove-boards: build
	@failed=; for set in holes no-holes crossings squares stacks photos paper styles; do \
		$(KIBITZER) bench seeing --set $$set --prove || failed="$$failed $$set"; done; \
	test -z "$$failed" || { echo "missed:$$failed"; exit 1; }

# Windows and screens of other programs, with new random puzzles on grids each time: harder than
# what must hold, and now and then one of them is taken for a board.
prove-seeing-others: build install-packages-test
	$(KIBITZER) bench seeing --set others --prove

# Twenty games against the real program from a cold start, and the time of a move.
prove-loop: build install-packages-test
	$(KIBITZER) bench loop --games 20 --prove

# Ten minutes of watching: processor time and memory.
prove-watch: build install-packages-test
	$(KIBITZER) bench watch --prove

# Tetris policies: the peers' table, our own policy against theirs, speed (about 10 minutes).
prove-tetris: build
	$(KIBITZER) bench tetris --prove

# Tetris through simulated webcams: 10,000 frames of 50 cameras.
prove-tetris-seeing: build
	$(KIBITZER) bench seeing --set tetris --prove

# Killed with kill -9 at random moments, a thousand times, while it plays a real window by relays with
# journal and recording: nothing that was told is lost or there twice, no relay stays closed (about
# 40 minutes; KILLS=160 for a part).
KILLS ?= 1000
prove-kills: build install-packages-test
	KIBITZER_KILLS=$(KILLS) cargo test --test kibitzer a_thousand_kills -- --ignored --nocapture

# The reference rig in virtual time, ten games of 2,000 pieces at level 10 with faults, and the
# reference's own way beside it (about 20 minutes).
prove-rig: build
	$(KIBITZER) bench rig --prove

# Real programs: quadrapassel to 100 rows, vitetris to 40, five games each (about 15 minutes).
prove-tetris-real: build install-packages-test
	$(KIBITZER) bench tetris-real --prove

# The built-in games for two through a simulated webcam in virtual time, twenty games each (about 10
# minutes).
prove-duel-rig: build
	$(KIBITZER) bench duel-rig --prove

# Real programs of two players, ten games each from a cold start (about an hour).
prove-duel-real: build install-packages-test
	cargo test duel_real -- --ignored
	$(KIBITZER) bench duel-real --prove

# Connect-4: all scores right, the empty board, moves with the book; then beside another solver in
# one run (about 10 minutes).
CONNECT4_SETS = $(wildcard ../shared/data/connect4/Test_*)
prove-connect4: build
	$(KIBITZER) bench connect4 --prove --moves
	$(KIBITZER) bench connect4 --prove --book none --empty --limit 1
	@for set in $(CONNECT4_SETS); do \
		$(KIBITZER) bench connect4 --prove --moves --positions $$set || exit 1; done
	cargo bench --profile dev --bench connect4 -- --prove

# TripleX: levels of every rectangle to area 63 and of 8x8, the reference's filters, turnable
# figures (about a minute, 3 GB for a check of 8x8).
prove-triplex: build
	$(KIBITZER) bench triplex --prove

# Five in a row: the tactical suite and its check, 20 games a size against the reference's evaluator,
# and 20 against pbrain-figrid where it is installed (about 15 minutes).
prove-gomoku: build
	$(KIBITZER) bench gomoku --check-suite
	$(KIBITZER) bench gomoku --prove

# The daemon with three sessions that play for half an hour: memory, counters, answers, stops.
prove-serve: build install-packages-test
	$(KIBITZER) bench serve --prove

# 200 games of five in a row in browsers at once, alone and beside searches: 99 of 100 replies within
# 100 ms (a few seconds).
prove-web-games: build
	$(KIBITZER) bench web-games --games 200 --prove
