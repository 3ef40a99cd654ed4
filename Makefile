# docs/make-targets.md says what each target does, and the minutes that it may take on two cores.
SHELL := /bin/bash
export LARDER_WARNINGS := error
# Release binaries carry Swift's libraries, so that `larder` can be copied to another machine.
RELEASE := -c release --static-swift-stdlib

.PHONY: demo modes applications sites weak test test-model test-faults tool format lint bench fuzz transparency setup clean

demo: setup
	@scripts/demo

test: setup
	@scripts/test

# A million random exchanges against the model of RFC 9111; LARDER_MODEL_SEED and LARDER_MODEL_EXCHANGES choose others.
test-model: setup
	@scripts/test-model

# Linux only; the variables that set its length stand in scripts/test-faults.
test-faults: setup
	@scripts/test-faults

# Linux only: what each mode carries, measured in a real web view and written to docs/modes.md.
modes: setup
	@scripts/modes

# Linux only: real applications from the Python package index in a real web view, written to docs/applications.md.
applications: setup
	@scripts/applications

# Linux only: stored pages in a real web view, from servers that turn bad; WEAK="--times 20 --modes proxy" takes fewer.
weak: setup
	@scripts/weak-servers $(WEAK)

# Linux only: what `larder preload` says of generated sites, beside what a real web view shows; SITES and SEED choose others.
sites: setup
	@cd Tools && swift build --product larder && swift build --product larder-webview
	@scripts/generated-sites --sites $(or $(SITES),300) --seed $(or $(SEED),1)

tool: setup
	@scripts/tool

setup:
	@scripts/setup

format:
	@swift format -i -r --configuration .swift-format Package.swift Sources Tests Tools/Package.swift Tools/Sources Tools/Tests \
		Fuzzing/Package.swift Fuzzing/Sources AppleStubs/Package.swift AppleStubs/Sources/AppleFoundation AppleStubs/Sources/Network \
		AppleStubs/Sources/Compression AppleStubs/Sources/Security AppleStubs/Sources/BackgroundTasks \
		AppleStubs/Sources/WebKit AppleStubs/Sources/SwiftUI AppleStubs/Sources/UIKit AppleStubs/Sources/AppKit AppleStubs/Sources/OSLog \
		AppleStubs/Tests \
		Examples MacChecks/Package.swift

lint:
	@scripts/lint

# Ten million runs of each reader under libFuzzer, on Linux only; FUZZ_RUNS and FUZZ_TARGETS choose fewer.
fuzz: setup
	@scripts/fuzz

bench:
	@scripts/setup bench
	@scripts/bench

# Linux only: WPT=DIR is a checkout of web-platform-tests; what its tests lose by Larder's scripts in pages. THROUGH=chromium,
# httpsScheme or appScheme asks in Chromium, or of pages that Larder answers.
transparency:
	@scripts/setup transparency
	@scripts/transparency $(or $(WPT),$(error make transparency WPT=DIR: DIR is a checkout of web-platform-tests)) $(if $(THROUGH),--through $(THROUGH))

clean:
	@rm -rf .build* Tools/.build* Fuzzing/.build* AppleStubs/.build* MacChecks/.build* out
