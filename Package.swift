// swift-tools-version: 6.1
import PackageDescription

/// The Makefile sets the variable; apps that depend on the package are not bothered by warnings of newer compilers.
let warnings: [SwiftSetting] =
    Context.environment["LARDER_WARNINGS"] == "error" ? [.unsafeFlags(["-warnings-as-errors"])] : []
let strict: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
    ] + warnings

let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let crypto: Target.Dependency = .product(
    name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux]))
/// Every product of the server side hangs on the trait, so that an app without it resolves none of them.
func server(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Proxy"]))
}

/// So does what of our own is empty without the trait.
func whenProxy(_ target: String) -> Target.Dependency {
    .target(name: target, condition: .when(traits: ["Proxy"]))
}

// As swift-crypto does it: elsewhere than on Apple's platforms nobody reads the privacy manifest, and a resource would
// link Foundation's Bundle.
#if canImport(Darwin)
let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
let notForLinux: [String] = []
#else
let privacyManifest: [Resource] = []
let notForLinux = ["PrivacyInfo.xcprivacy"]
#endif

let package = Package(
    name: "larder",
    // tvOS and watchOS are not supported: neither has web views, and what suspends and schedules apps there is another
    // thing.
    platforms: [.iOS(.v16), .macOS(.v13), .macCatalyst(.v16), .visionOS(.v1)],
    // Each with what is outside of this package and imports it.
    products: [
        // Apps: the one import that they need.
        .library(name: "LarderKit", targets: ["LarderKit"]),
        // Apps that let Larder answer https itself: what it does to WebKit is to be chosen by name.
        .library(name: "LarderHTTPSScheme", targets: ["LarderHTTPSScheme"]),
        // The tool and the demo's report speak of Cache-Status, keys and times; the benchmarks time it alone; the
        // fuzzers.
        .library(name: "HTTPCacheSemantics", targets: ["HTTPCacheSemantics"]),
        // The tool's own state, and the stand-ins for Apple's modules.
        .library(name: "Locking", targets: ["Locking"]),
        // `larder store`, the store's stress and benchmarks, the fuzzers.
        .library(name: "ResponseStore", targets: ["ResponseStore"]),
        // The fuzzers.
        .library(name: "Decoding", targets: ["Decoding"]),
        // The fuzzers.
        .library(name: "PageSyntax", targets: ["PageSyntax"]),
        // The fuzzers.
        .library(name: "PageRewriting", targets: ["PageRewriting"]),
        // `larder rules`, and the fuzzers.
        .library(name: "CacheRules", targets: ["CacheRules"]),
        // `larder manifest`, the benchmarks and the fuzzers.
        .library(name: "Manifests", targets: ["Manifests"]),
        // The tool reads the reports of exchanges, and `larder explain` asks it.
        .library(name: "CacheEngine", targets: ["CacheEngine"]),
        // The web view of `larder open --through` answers with these.
        .library(name: "Fetching", targets: ["Fetching"]),
        .library(name: "SchemeTasks", targets: ["PageScripts", "SchemeTasks"]),
        .library(name: "ViewCare", targets: ["ViewCare"]),
        // The tool makes and reads seeds with it, and the fuzzers read them and lists of URLs.
        .library(name: "Preloading", targets: ["Preloading"]),
        // `larder proxy`, which sets what an app can't: reverse mode, limits, refusals, hosts that resolve elsewhere.
        .library(name: "CachingProxy", targets: ["CachingProxy", "OriginDialing", "HTTPMessages"]),
        // The network for a cache without LarderKit: the tool, and its tests from sockets.
        .library(name: "NIOTransport", targets: ["NIOTransport"]),
        // The transports' tests from sockets.
        .library(name: "URLSessionTransport", targets: ["URLSessionTransport"]),
        // Modules that the libraries' tests import besides; `make test` runs these in Tools.
        .library(
            name: "TestedParts",
            targets: ["PageScripts", "StrictJSON", "URLSessionCaching", "WKWebViewAdapter", "WebTesting"]),
        // Tests of apps with a transport or a store of their own, and the tool's.
        .library(name: "CacheTesting", targets: ["CacheTesting"]),
    ],
    traits: [
        .trait(name: "Proxy", description: "The local caching proxy on SwiftNIO: full interception of a web view."),
        .default(enabledTraits: ["Proxy"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.5.0"),
        .package(url: "https://github.com/apple/swift-crypto", "3.8.0"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.29.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.38.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.3.0"),
    ],
    targets: [
        .target(name: "HTTPCacheSemantics", dependencies: [httpTypes], swiftSettings: strict),
        .target(name: "Locking", swiftSettings: strict),
        .target(name: "StrictJSON", swiftSettings: strict),
        .target(name: "PageSyntax", swiftSettings: strict),
        .target(name: "PageRewriting", dependencies: ["PageSyntax"], swiftSettings: strict),
        .target(name: "Manifests", dependencies: ["HTTPCacheSemantics", "StrictJSON", crypto], swiftSettings: strict),
        .target(name: "CInflate", linkerSettings: [.linkedLibrary("z")]),
        .target(name: "CBrotli", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(
            name: "Decoding",
            dependencies: [
                "HTTPCacheSemantics", "CInflate", .target(name: "CBrotli", condition: .when(platforms: [.linux])),
                httpTypes,
            ], swiftSettings: strict),
        .target(
            name: "ResponseStore",
            dependencies: [
                "HTTPCacheSemantics", "Locking", httpTypes, crypto, .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .target(
            name: "CacheRules", dependencies: ["HTTPCacheSemantics", "StrictJSON", httpTypes], swiftSettings: strict),
        .target(
            name: "CacheEngine",
            dependencies: ["HTTPCacheSemantics", "Locking", "ResponseStore", "CacheRules", httpTypes],
            swiftSettings: strict),
        .target(
            name: "Fetching",
            dependencies: ["HTTPCacheSemantics", "Locking", "CacheRules", "CacheEngine", "Decoding", httpTypes],
            swiftSettings: strict),
        .target(
            name: "PageScripts",
            dependencies: ["HTTPCacheSemantics", "Fetching", httpTypes], exclude: ["JavaScript"], swiftSettings: strict),
        .target(
            name: "SchemeTasks",
            dependencies: [
                "HTTPCacheSemantics", "Locking", "ResponseStore", "CacheRules", "CacheEngine", "Decoding", "Fetching",
                "PageRewriting", "PageScripts", httpTypes,
            ], swiftSettings: strict),
        .target(
            name: "ViewCare",
            dependencies: ["HTTPCacheSemantics", "Locking", "CacheRules", "CacheEngine", "Fetching", httpTypes],
            swiftSettings: strict),
        .target(
            name: "Preloading",
            dependencies: [
                "HTTPCacheSemantics", "Locking", "StrictJSON", "PageSyntax", "Decoding", "Fetching", "Manifests",
                "ResponseStore", "CacheRules", "CacheEngine", httpTypes, crypto,
            ], swiftSettings: strict),
        .target(
            name: "OriginDialing",
            dependencies: [
                "HTTPCacheSemantics", "Locking", "CacheEngine", httpTypes, server("NIOCore", "swift-nio"),
                server("NIOPosix", "swift-nio"), server("NIOTLS", "swift-nio"), server("NIOSSL", "swift-nio-ssl"),
                server("X509", "swift-certificates"), server("SwiftASN1", "swift-asn1"),
            ], swiftSettings: strict),
        .target(
            name: "HTTPMessages",
            dependencies: [httpTypes, server("NIOCore", "swift-nio")], swiftSettings: strict),
        .target(
            name: "CachingProxy",
            dependencies: [
                "HTTPCacheSemantics", "Locking", "ResponseStore", "CacheEngine", "CacheRules", "OriginDialing",
                "HTTPMessages", "NIOTransport", httpTypes, server("NIOCore", "swift-nio"),
                server("NIOPosix", "swift-nio"), server("NIOHTTP2", "swift-nio-http2"),
                server("NIOTLS", "swift-nio"), server("NIOSSL", "swift-nio-ssl"), server("X509", "swift-certificates"),
                server("SwiftASN1", "swift-asn1"), server("Crypto", "swift-crypto"),
            ], swiftSettings: strict),
        .target(
            name: "NIOTransport",
            dependencies: [
                "CacheEngine", "Locking", "OriginDialing", "HTTPMessages", httpTypes, server("NIOCore", "swift-nio"),
                server("NIOSSL", "swift-nio-ssl"), server("NIOHTTP2", "swift-nio-http2"),
                server("NIOHPACK", "swift-nio-http2"),
            ], swiftSettings: strict),
        .target(
            name: "URLSessionTransport", dependencies: ["HTTPCacheSemantics", "Locking", "CacheEngine", httpTypes],
            swiftSettings: strict),
        .target(
            name: "URLSessionCaching",
            dependencies: [
                "HTTPCacheSemantics", "Locking", "CacheEngine", "Fetching", "URLSessionTransport", httpTypes,
            ],
            swiftSettings: strict),
        .target(
            name: "WKWebViewAdapter",
            dependencies: [
                "HTTPCacheSemantics", "Locking", "ResponseStore", "CacheEngine", "CacheRules", "Fetching",
                "PageScripts", "SchemeTasks", "ViewCare", httpTypes,
            ], swiftSettings: strict),
        .target(name: "CHandledSchemes"),
        .target(
            name: "LarderHTTPSScheme", dependencies: ["CHandledSchemes", "WKWebViewAdapter"], swiftSettings: strict),
        .target(
            name: "LarderKit",
            dependencies: [
                "HTTPCacheSemantics", "Locking", "ResponseStore", "CacheRules", "CacheEngine", "Decoding",
                "Fetching", "Manifests", "PageScripts", "PageSyntax", "Preloading", "SchemeTasks",
                "URLSessionTransport", "URLSessionCaching", "ViewCare", "WKWebViewAdapter", httpTypes,
                whenProxy("OriginDialing"), whenProxy("CachingProxy"),
                whenProxy("NIOTransport"), server("NIOPosix", "swift-nio"),
            ], exclude: notForLinux, resources: privacyManifest, swiftSettings: strict),
        .target(
            name: "CacheTesting",
            dependencies: ["HTTPCacheSemantics", "Locking", "ResponseStore", "CacheRules", "CacheEngine", httpTypes],
            swiftSettings: strict),
        .testTarget(name: "LockingTests", dependencies: ["Locking"], swiftSettings: strict),
        .testTarget(
            name: "HTTPCacheSemanticsTests", dependencies: ["HTTPCacheSemantics", "CacheTesting", httpTypes],
            swiftSettings: strict),
        .testTarget(
            name: "ResponseStoreTests",
            dependencies: [
                "ResponseStore", "HTTPCacheSemantics", "CacheTesting", httpTypes,
                .product(name: "GRDB", package: "GRDB.swift"),
            ], swiftSettings: strict),
        .testTarget(
            name: "CacheRulesTests",
            dependencies: ["CacheRules", "HTTPCacheSemantics", "StrictJSON", "CacheTesting", httpTypes],
            swiftSettings: strict),
        .testTarget(name: "StrictJSONTests", dependencies: ["StrictJSON"], swiftSettings: strict),
        .testTarget(
            name: "PageRewritingTests", dependencies: ["PageRewriting"], swiftSettings: strict),
        .testTarget(name: "PageSyntaxTests", dependencies: ["PageSyntax"], swiftSettings: strict),
        .testTarget(
            name: "ManifestsTests", dependencies: ["Manifests", "HTTPCacheSemantics", "StrictJSON"],
            swiftSettings: strict),
        .testTarget(
            name: "CacheEngineTests",
            dependencies: [
                "CacheEngine", "ResponseStore", "CacheRules", "HTTPCacheSemantics", "CacheTesting", "Locking",
                "Fetching",
                httpTypes,
            ], swiftSettings: strict),
        .testTarget(
            name: "ModelTests",
            dependencies: [
                "CacheEngine", "ResponseStore", "CacheRules", "HTTPCacheSemantics", "CacheTesting", "Locking",
                httpTypes,
            ], swiftSettings: strict),
        // Tables and stand-ins that tests of several modules share.
        .target(
            name: "WebTesting", dependencies: ["Fetching", "HTTPCacheSemantics", "Locking", httpTypes],
            path: "Tests/WebTesting", swiftSettings: strict),
        .testTarget(
            name: "DecodingTests",
            dependencies: ["Decoding", "CacheTesting", "HTTPCacheSemantics", "WebTesting", httpTypes],
            swiftSettings: strict),
        .testTarget(
            name: "FetchingTests",
            dependencies: [
                "Fetching", "CacheEngine", "CacheRules", "CacheTesting", "Decoding", "HTTPCacheSemantics", "WebTesting",
                httpTypes,
            ], swiftSettings: strict),
        .testTarget(
            name: "PageScriptsTests", dependencies: ["PageScripts", "WebTesting", httpTypes], swiftSettings: strict),
        .testTarget(
            name: "SchemeTasksTests",
            dependencies: [
                "SchemeTasks", "CacheEngine", "CacheRules", "CacheTesting", "Decoding", "Fetching",
                "HTTPCacheSemantics", "Locking", "PageScripts", "ResponseStore", "WebTesting", httpTypes,
            ], swiftSettings: strict),
        .testTarget(
            name: "ViewCareTests",
            dependencies: [
                "ViewCare", "CacheEngine", "CacheRules", "CacheTesting", "Fetching", "HTTPCacheSemantics", "Locking",
                "SchemeTasks", "WebTesting", httpTypes,
            ], swiftSettings: strict),
        .testTarget(
            name: "PreloadingTests",
            dependencies: [
                "Preloading", "Manifests", "CacheEngine", "CacheRules", "CacheTesting", "Decoding",
                "HTTPCacheSemantics", "Locking",
                "ResponseStore", httpTypes,
            ], swiftSettings: strict),
        .testTarget(
            name: "URLSessionTransportTests",
            dependencies: [
                "URLSessionTransport", "CacheEngine", "CacheTesting", "HTTPCacheSemantics", "Locking", httpTypes,
            ], swiftSettings: strict),
        .testTarget(
            name: "URLSessionCachingTests",
            dependencies: [
                "URLSessionCaching", "URLSessionTransport", "CacheEngine", "CacheTesting", "Fetching", "Locking",
                httpTypes,
            ], swiftSettings: strict),
        .testTarget(
            name: "LarderKitTests",
            dependencies: [
                "LarderKit", "CacheEngine", "CacheRules", "CacheTesting", "Decoding", "Fetching", "HTTPCacheSemantics",
                "Locking", "Manifests", "Preloading", "ResponseStore", "SchemeTasks", "URLSessionCaching", "ViewCare",
                "WKWebViewAdapter", httpTypes,
            ], swiftSettings: strict),
        // The fuzz targets and what replays their corpora; the program around libFuzzer is in a package of its own.
        .testTarget(
            name: "FuzzReplayTests",
            dependencies: [
                "HTTPCacheSemantics", "Decoding", "Fetching", "PageSyntax", "PageRewriting", "ResponseStore",
                "CacheRules", "Manifests", "Preloading", "SchemeTasks", "ViewCare", httpTypes,
            ],
            path: "Fuzzing/Sources", exclude: ["CLibFuzzer", "Program"], swiftSettings: strict),
    ]
)
