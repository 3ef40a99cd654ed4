// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]

/// What of the tools' tests is to be run on a Mac, by itself: the other tests there are for Linux. Links only; see
/// docs/apple-status.md.
let package = Package(
    name: "mac-checks",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "larder", path: ".."), .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
    ],
    targets: [
        .target(
            name: "WireSupport",
            dependencies: [
                .product(name: "CacheTesting", package: "larder"), .product(name: "Locking", package: "larder"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ], path: "WireSupport", swiftSettings: strict),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "WireSupport", .product(name: "CacheTesting", package: "larder"),
                .product(name: "URLSessionTransport", package: "larder"),
            ], path: "ConformanceTests", swiftSettings: strict),
    ]
)
