// swift-tools-version: 6.1
import PackageDescription

/// The Makefile sets the variable.
let warnings: [SwiftSetting] =
    Context.environment["LARDER_WARNINGS"] == "error" ? [.unsafeFlags(["-warnings-as-errors"])] : []
/// The packages of this repository are compiled as one, so that they see each other's `package` declarations. SwiftPM
/// calls the root package by its folder.
let larderFolder = Context.packageDirectory.split(separator: "/").dropLast().last.map(String.init) ?? ""
let strict: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
        .unsafeFlags([
            "-package-name", String(larderFolder.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }),
        ]),
    ] + warnings

func larder(_ product: String) -> Target.Dependency { .product(name: product, package: "larder") }
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")

/// Built by `scripts/fuzz` alone, which adds the flags of the sanitizer to every module. The root package compiles
/// `Sources/Targets` a second time, into the tests that replay the corpora; nothing depends on this package.
let package = Package(
    name: "fuzzing",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "larder", path: "..", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
    ],
    targets: [
        .target(name: "CLibFuzzer", path: "Sources/CLibFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CLibFuzzer", larder("HTTPCacheSemantics"), larder("Decoding"), larder("ResponseStore"),
                larder("CacheRules"),
                larder("Fetching"), larder("SchemeTasks"), larder("ViewCare"), larder("Manifests"),
                larder("PageSyntax"),
                larder("PageRewriting"),
                larder("Preloading"), httpTypes,
            ],
            path: "Sources", exclude: ["CLibFuzzer", "Replay"], packageAccess: false, swiftSettings: strict),
    ]
)
