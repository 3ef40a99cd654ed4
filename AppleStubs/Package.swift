// swift-tools-version: 6.1
import PackageDescription

/// The Makefile sets the variable.
let warnings: [SwiftSetting] =
    Context.environment["LARDER_WARNINGS"] == "error" ? [.unsafeFlags(["-warnings-as-errors"])] : []
let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")] + warnings

func larder(_ product: String) -> Target.Dependency { .product(name: product, package: "larder") }

/// Type-checks on Linux what is compiled on Apple's platforms only: modules of ours stand in for the system's. Nothing
/// depends on this package, so that no stub makes `canImport` true anywhere else; `scripts/check-apple` builds it.
let package = Package(
    name: "apple-stubs",
    dependencies: [.package(name: "larder", path: "..")],
    targets: [
        .target(name: "Network", swiftSettings: strict),
        .target(name: "Compression", swiftSettings: strict),
        // Links to folders in the root package.
        .target(
            name: "LarderKitConnectivity",
            dependencies: ["Network", larder("CacheRules"), larder("Locking")], swiftSettings: strict),
        .target(name: "DecodingBrotli", dependencies: ["Compression"], swiftSettings: strict),
        .testTarget(
            name: "DecodingBrotliTests", dependencies: ["DecodingBrotli", "Compression"], swiftSettings: strict),
        .testTarget(
            name: "NetworkPathSourceTests",
            dependencies: ["LarderKitConnectivity", "Network", larder("CacheRules")], swiftSettings: strict),
    ]
)
