// swift-tools-version: 6.1
import PackageDescription

/// The Makefile sets the variable.
let warnings: [SwiftSetting] =
    Context.environment["LARDER_WARNINGS"] == "error" ? [.unsafeFlags(["-warnings-as-errors"])] : []
let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")] + warnings

let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
func larder(_ product: String) -> Target.Dependency { .product(name: product, package: "larder") }

/// Code that is compiled with these sees the names that larder's modules show to each other only. SwiftPM calls that package
/// by its folder.
let larderFolder = Context.packageDirectory.split(separator: "/").dropLast().last.map(String.init) ?? ""
let ofLarder =
    strict + [
        .unsafeFlags(["-package-name", String(larderFolder.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })])
    ]
/// A module of ours in place of one with another name.
func inPlace(of module: String, _ ours: String) -> SwiftSetting {
    .unsafeFlags(["-module-alias", "\(module)=\(ours)"])
}

/// Type-checks on Linux what is compiled on Apple's platforms only: modules of ours stand in for the system's. Nothing
/// depends on this package, so that no stub makes `canImport` true anywhere else; `scripts/check-apple` builds it.
let package = Package(
    name: "apple-stubs",
    dependencies: [
        .package(name: "larder", path: "..", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
    ],
    targets: [
        .target(name: "Network", swiftSettings: strict),
        .target(name: "Compression", swiftSettings: strict),
        .target(name: "UIKit", dependencies: ["AppKit", "AppleFoundation"], swiftSettings: strict),
        .target(name: "AppKit", swiftSettings: strict),
        .target(name: "OSLog", swiftSettings: strict),
        .target(
            name: "WebKit", dependencies: ["AppleFoundation", "Network", "Security", "UIKit", larder("Locking")],
            packageAccess: false, swiftSettings: ofLarder),
        .target(name: "SwiftUI", dependencies: ["AppKit", "UIKit", "WebKit"], swiftSettings: strict),
        .testTarget(
            name: "WebKitTests",
            dependencies: ["WebKit", "SwiftUI", "OSLog", "AppleFoundation", "Network", "Security", larder("Locking")],
            packageAccess: false, swiftSettings: ofLarder),
        .target(name: "Security", dependencies: [larder("Locking")], packageAccess: false, swiftSettings: ofLarder),
        .target(
            name: "BackgroundTasks", dependencies: [larder("Locking")], packageAccess: false, swiftSettings: ofLarder),
        // Links to folders in the root package.
        .target(
            name: "LarderKitConnectivity",
            dependencies: ["Network", larder("CacheRules"), larder("Locking")], packageAccess: false,
            swiftSettings: ofLarder),
        .target(name: "DecodingBrotli", dependencies: ["Compression"], swiftSettings: strict),
        .testTarget(
            name: "DecodingBrotliTests", dependencies: ["DecodingBrotli", "Compression"], swiftSettings: strict),
        // Foundation's URLSession and what else of Apple's Foundation the one on Linux lacks, driven by tests.
        .target(
            name: "AppleFoundation", dependencies: ["Security", larder("Locking")], packageAccess: false,
            swiftSettings: ofLarder),
        // Links to the folders in the root package, beside a file that shows them the stand-in.
        .target(
            name: "URLSessionOnApple",
            dependencies: [
                "AppleFoundation", "Network", larder("HTTPCacheSemantics"), larder("Locking"), larder("CacheEngine"),
                httpTypes,
            ], packageAccess: false, swiftSettings: ofLarder),
        .testTarget(
            name: "URLSessionOnAppleTests",
            dependencies: [
                "URLSessionOnApple", "AppleFoundation", larder("CacheEngine"), larder("CacheTesting"),
                larder("Locking"), httpTypes,
            ], packageAccess: false, swiftSettings: ofLarder),
        .target(
            name: "URLSessionCachingOnApple",
            dependencies: [
                "URLSessionOnApple", "AppleFoundation", "Network", larder("HTTPCacheSemantics"), larder("Locking"),
                larder("CacheEngine"), larder("Fetching"), httpTypes,
            ], packageAccess: false, swiftSettings: ofLarder),
        .testTarget(
            name: "URLSessionCachingOnAppleTests",
            dependencies: [
                "URLSessionCachingOnApple", "AppleFoundation", larder("CacheEngine"), larder("CacheTesting"),
                larder("Fetching"), larder("Locking"), httpTypes,
            ], packageAccess: false, swiftSettings: ofLarder),
        .target(
            name: "WKWebViewOnApple",
            dependencies: [
                "WebKit", "SwiftUI", "UIKit", "AppKit", "Network", "Security", "AppleFoundation", larder("CacheEngine"),
                larder("CacheRules"), larder("HTTPCacheSemantics"), larder("Fetching"), larder("SchemeTasks"),
                larder("ViewCare"),
                larder("Locking"),
                larder("ResponseStore"), httpTypes,
            ], packageAccess: false, swiftSettings: ofLarder),
        .target(
            name: "LarderHTTPSSchemeOnApple", dependencies: ["WKWebViewOnApple", "WebKit"], packageAccess: false,
            swiftSettings: ofLarder),
        .testTarget(
            name: "WKWebViewOnAppleTests",
            dependencies: [
                "WKWebViewOnApple", "LarderHTTPSSchemeOnApple", "WebKit", "AppleFoundation", "Security", "Network",
                larder("CacheEngine"),
                larder("CacheTesting"), larder("HTTPCacheSemantics"), larder("Fetching"), larder("SchemeTasks"),
                larder("ViewCare"),
                larder("Locking"),
                larder("ResponseStore"), httpTypes,
            ], packageAccess: false, swiftSettings: ofLarder),
        .target(
            name: "LarderOnApple",
            dependencies: [
                "URLSessionOnApple", "WKWebViewOnApple", "AppleFoundation", "Network", "Security", "BackgroundTasks",
                "UIKit",
                "AppKit", "WebKit", larder("CacheEngine"), larder("HTTPCacheSemantics"), larder("Fetching"),
                larder("SchemeTasks"), larder("ViewCare"),
                larder("Locking"), larder("CachingProxy"),
            ],
            packageAccess: false,
            // With the trait of the root package, whose own modules are built here without it.
            swiftSettings: ofLarder + [.define("Proxy"), inPlace(of: "WKWebViewAdapter", "WKWebViewOnApple")]),
        // LarderKit as it is, without the trait.
        .target(
            name: "LarderKitOnApple",
            dependencies: [
                "URLSessionOnApple", "URLSessionCachingOnApple", "WKWebViewOnApple", "AppleFoundation", "Network",
                "Security",
                "BackgroundTasks", "UIKit", "AppKit", "WebKit", larder("CacheEngine"), larder("CacheRules"),
                larder("Decoding"),
                larder("HTTPCacheSemantics"), larder("Fetching"), larder("SchemeTasks"), larder("ViewCare"),
                larder("Locking"),
                larder("Manifests"),
                larder("Preloading"), larder("ResponseStore"), httpTypes,
            ], exclude: ["LarderKit/PrivacyInfo.xcprivacy"], packageAccess: false,
            swiftSettings: ofLarder + [
                inPlace(of: "WKWebViewAdapter", "WKWebViewOnApple"),
                inPlace(of: "URLSessionTransport", "URLSessionOnApple"),
                inPlace(of: "URLSessionCaching", "URLSessionCachingOnApple"),
            ]),
        // Links to the example.
        .target(
            name: "DemoLogic", dependencies: ["LarderKitOnApple", "WebKit"],
            swiftSettings: strict + [inPlace(of: "LarderKit", "LarderKitOnApple")]),
        .testTarget(
            name: "DemoLogicTests", dependencies: ["DemoLogic", "LarderKitOnApple", larder("CacheTesting")],
            swiftSettings: strict + [inPlace(of: "LarderKit", "LarderKitOnApple")]),
        .target(
            name: "DemoScreens",
            dependencies: ["DemoLogic", "LarderKitOnApple", "WebKit", "SwiftUI", "UIKit", "AppKit"],
            swiftSettings: strict + [inPlace(of: "LarderKit", "LarderKitOnApple")]),
        .target(name: "LarderDemo", dependencies: ["DemoScreens", "SwiftUI"], swiftSettings: strict),
        // What docs/guides shows; scripts/check-guides compares the lines.
        .target(
            name: "Guides", dependencies: ["LarderKitOnApple", larder("CacheRules"), "WebKit", "SwiftUI", "UIKit"],
            swiftSettings: strict + [inPlace(of: "LarderKit", "LarderKitOnApple")]),
        .testTarget(
            name: "GuidesTests", dependencies: ["Guides", "LarderKitOnApple", "WebKit", "Network", "AppleFoundation"],
            swiftSettings: strict + [inPlace(of: "LarderKit", "LarderKitOnApple")]),
        .testTarget(
            name: "LarderKitOnAppleTests",
            dependencies: [
                "LarderKitOnApple", "WKWebViewOnApple", "WebKit", "AppleFoundation", "Network", larder("CacheTesting"),
                larder("Fetching"), larder("SchemeTasks"), larder("ViewCare"), larder("Locking"), httpTypes,
            ], packageAccess: false,
            swiftSettings: ofLarder + [
                inPlace(of: "LarderKit", "LarderKitOnApple"), inPlace(of: "WKWebViewAdapter", "WKWebViewOnApple"),
            ]),
        .testTarget(
            name: "LarderOnAppleTests",
            dependencies: [
                "LarderOnApple", "WKWebViewOnApple", "URLSessionOnApple", "AppleFoundation", "Security",
                "BackgroundTasks",
                larder("CacheEngine"), larder("CacheTesting"), larder("HTTPCacheSemantics"), larder("Fetching"),
                larder("SchemeTasks"), larder("ViewCare"),
                larder("Locking"),
            ], packageAccess: false, swiftSettings: ofLarder),
        .testTarget(
            name: "NetworkPathSourceTests",
            dependencies: ["LarderKitConnectivity", "Network", larder("CacheRules"), larder("CacheTesting")],
            packageAccess: false, swiftSettings: ofLarder),
    ]
)
