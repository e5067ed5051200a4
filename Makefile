# Two commands do everything on a fresh Debian 12: `make demo` and `make test`.

# Outside the checkout, so that fresh clones reuse what is built.
CARGO_TARGET_DIR ?= $(HOME)/.cache/kibitzer/target
export CARGO_TARGET_DIR

KIBITZER = $(CARGO_TARGET_DIR)/debug/kibitzer

.PHONY: demo test build install-packages-build install-packages-test \
	prove prove-flood prove-seeing prove-play prove-watch prove-loop fmt golden

# The main job with nothing but the machine: the built-in game seen through a simulated webcam
# and played by a simulated mouse.
demo: build
	$(KIBITZER) demo

# Everything a change must pass; ends with the summary lines of cargo test.
test: install-packages-test
	cargo fmt --check
	cargo clippy --all-targets --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --quiet
	cargo test

build: install-packages-build
	cargo build

install-packages-build:
	@.ci/setup build

install-packages-test:
	@.ci/setup test

fmt:
	cargo fmt
