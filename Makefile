# Each target installs what it lacks (Debian and Ubuntu; elsewhere it says what to install), then
# does its job.

BUILD_PACKAGES = clang-19 llvm-19-dev libclc-15 llvm-spirv-15 gcc libc6-dev zlib1g-dev libzstd-dev
TEST_PACKAGES = $(BUILD_PACKAGES) pocl-opencl-icd ocl-icd-libopencl1 verilator iverilog yosys z3 g++ make
BENCH_PACKAGES = $(TEST_PACKAGES) oclgrind

.PHONY: help build demo test rtl lint bench fuzz clean
help:
	@echo "make build   build the command (target/release/sluice)"
	@echo "make demo    compile an example, run it, check it, show what happened"
	@echo "make test    everything that must hold"
	@echo "make rtl     every kernel of tests/run as Verilog, against simulator and interpreter"
	@echo "make lint    formatting and clippy"
	@echo "make bench   speed and area: interpreter, circuits, simulator"
	@echo "make fuzz    random kernels against PoCL (SEEDS=first..last FUZZ=options)"

build: packages-build
	cargo build --release --bin sluice

demo: build
	examples/demo

test: packages-test
	cargo test --workspace

rtl: packages-test build
	target/release/sluice test --device rtl tests/run/*.cl

lint: packages-build
	cargo fmt --check
	cargo clippy --workspace --all-targets -- -D warnings

bench: packages-bench
	cargo run --release -p sluice-bench

SEEDS ?= 0..1000
fuzz: packages-test
	cargo run --release -p sluice-fuzz -- $(SEEDS) $(FUZZ)

clean:
	cargo clean

.PHONY: packages-build packages-test packages-bench
packages-build:
	@scripts/install-packages $(BUILD_PACKAGES)
packages-test:
	@scripts/install-packages $(TEST_PACKAGES)
packages-bench:
	@scripts/install-packages $(BENCH_PACKAGES)
