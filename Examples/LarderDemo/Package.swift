// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]
let larderKit: Target.Dependency = .product(name: "LarderKit", package: "larder")

/// An app with web views that Larder answers; README.md says how Xcode makes an iOS app of it. On Linux `make test`
/// type-checks these files and runs their tests from AppleStubs.
let package = Package(
    name: "larder-demo",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [
        .executable(name: "LarderDemo", targets: ["LarderDemo"]),
        .library(name: "DemoScreens", targets: ["DemoScreens"]),
    ],
    dependencies: [
        // In an app of yours: .package(url: "…", from: "…")
        .package(name: "larder", path: "../..")
    ],
    targets: [
        .target(name: "DemoLogic", dependencies: [larderKit], swiftSettings: strict),
        .target(name: "DemoScreens", dependencies: ["DemoLogic", larderKit], swiftSettings: strict),
        .executableTarget(name: "LarderDemo", dependencies: ["DemoScreens"], swiftSettings: strict),
        .testTarget(
            name: "DemoLogicTests",
            dependencies: ["DemoLogic", larderKit, .product(name: "CacheTesting", package: "larder")],
            swiftSettings: strict),
    ]
)
