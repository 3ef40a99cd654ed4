// swift-tools-version: 6.1
import PackageDescription

/// The Makefile sets the variable; apps that depend on the package are not bothered by warnings of newer compilers.
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
func nio(_ product: String) -> Target.Dependency { .product(name: product, package: "swift-nio") }
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let nioHTTP2: [Target.Dependency] = [
    .product(name: "NIOHTTP2", package: "swift-nio-http2"), .product(name: "NIOHPACK", package: "swift-nio-http2"),
]

#if os(Linux)
let webKitGTK: [Target] = [
    .systemLibrary(
        name: "CWebKitGTK", pkgConfig: "webkit2gtk-4.1", providers: [.apt(["libwebkit2gtk-4.1-dev"])]),
    .target(name: "CBodyStream", dependencies: ["CWebKitGTK"]),
    .target(
        name: "WebKitGTKAdapter",
        dependencies: [
            "CBodyStream", "CWebKitGTK", "ChildPrograms", "WebVisit", larder("CacheEngine"),
            larder("HTTPCacheSemantics"), larder("Fetching"), larder("SchemeTasks"), larder("ViewCare"),
            larder("Locking"), httpTypes,
        ], packageAccess: false, swiftSettings: strict),
    .target(
        name: "WebViewHosting",
        dependencies: [
            "LarderHost", "WebKitGTKAdapter", "WebVisit", larder("CacheEngine"), larder("Fetching"),
            larder("SchemeTasks"), larder("ViewCare"),
        ],
        packageAccess: false, swiftSettings: strict),
    .executableTarget(
        name: "larder-webview", dependencies: ["WebViewHosting"], packageAccess: false, swiftSettings: strict),
    // Answers https with a scheme handler, for which WebKitGTK has to be tricked. Only tests start it.
    .target(name: "CSchemeUnlock"),
    .executableTarget(
        name: "larder-webview-testhost", dependencies: ["CSchemeUnlock", "WebViewHosting"], packageAccess: false,
        swiftSettings: strict),
    .testTarget(
        name: "InterceptionModeTests",
        dependencies: [
            "DemoSite", "LarderHost", "WebVisit", "WireSupport", larder("CacheTesting"), larder("CachingProxy"),
            larder("Locking"), nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOWebSocket"), nioSSL,
            "larder-webview", "larder-webview-testhost",
        ], exclude: ["Page"], packageAccess: false, swiftSettings: strict),
    .testTarget(
        name: "ApplicationTests",
        dependencies: [
            "ChildPrograms", "LarderHost", "WebVisit", larder("CacheTesting"), larder("CachingProxy"),
            larder("Locking"), nio("NIOCore"), nio("NIOPosix"), nioSSL, "larder-webview", "larder-webview-testhost",
        ], packageAccess: false, swiftSettings: strict),
]
let webViewPrograms: [Target.Dependency] = ["larder-webview", "larder-webview-testhost"]
/// Preloaded by the tests that make files fail; the names of its functions take the place of the C library's.
let faultyFiles: [Product] = [.library(name: "FaultyFiles", type: .dynamic, targets: ["CFaultyFiles"])]
let faultTests: [Target] = [
    .target(name: "CFaultyFiles"),
    .testTarget(
        name: "StoreFaultTests",
        dependencies: ["ChildPrograms", "StoreStress", "store-stress", larder("CacheTesting")],
        packageAccess: false, swiftSettings: strict),
]
#else
let webKitGTK: [Target] = []
let webViewPrograms: [Target.Dependency] = []
let faultyFiles: [Product] = []
let faultTests: [Target] = []
#endif

/// The tests of the libraries, through links to the root package, so that one build serves them and the tool. There
/// each is declared with what it needs; here all may use what any of them needs.
let libraryTests: [Target] = [
    "CacheEngineTests", "CacheRulesTests", "DecodingTests", "FetchingTests", "FuzzReplayTests",
    "HTTPCacheSemanticsTests", "LarderKitTests", "LockingTests", "ManifestsTests", "ModelTests", "PageRewritingTests",
    "PageScriptsTests", "PageSyntaxTests", "PreloadingTests", "ResponseStoreTests", "SchemeTasksTests",
    "StrictJSONTests", "URLSessionCachingTests", "URLSessionTransportTests", "ViewCareTests",
].map { name in
    let isFuzzing = name == "FuzzReplayTests"
    return .testTarget(
        name: name,
        dependencies: [
            "CacheEngine", "CacheRules", "CacheTesting", "Decoding", "Fetching", "HTTPCacheSemantics", "LarderKit",
            "Locking", "Manifests", "PageRewriting", "PageSyntax", "Preloading", "ResponseStore", "SchemeTasks",
            "TestedParts", "URLSessionTransport", "ViewCare",
        ].map(larder) + [httpTypes, .product(name: "GRDB", package: "GRDB.swift")],
        path: isFuzzing ? "Tests/Fuzzing/Sources" : "Tests/Libraries/\(name)",
        exclude: isFuzzing ? ["CLibFuzzer", "Program"] : [], packageAccess: false, swiftSettings: strict)
}

let package = Package(
    name: "tools",
    platforms: [.macOS(.v13)],
    products: faultyFiles,
    dependencies: [
        .package(name: "larder", path: ".."),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.29.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.38.0"),
        .package(url: "https://github.com/apple/swift-crypto", "3.8.0"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.5.0"),
    ],
    targets: [
        .target(name: "CSpawning"),
        .target(
            name: "ChildPrograms", dependencies: ["CSpawning", larder("Locking")], packageAccess: false,
            swiftSettings: strict),
        .target(
            name: "WebVisit",
            dependencies: [
                larder("CacheEngine"), larder("CacheRules"), larder("HTTPCacheSemantics"), larder("ResponseStore"),
                larder("SchemeTasks"), larder("ViewCare"), httpTypes,
            ],
            packageAccess: false, swiftSettings: strict),
        .target(
            name: "Dashboard",
            dependencies: [larder("CacheEngine"), larder("CacheRules"), larder("HTTPCacheSemantics"), httpTypes],
            packageAccess: false, swiftSettings: strict),
        .target(
            name: "DemoSite",
            dependencies: [
                "CDemoFiles", larder("HTTPCacheSemantics"), nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"),
                nio("NIOWebSocket"), nio("NIOConcurrencyHelpers"), nioSSL,
                .product(name: "Crypto", package: "swift-crypto"),
            ], packageAccess: false, swiftSettings: strict),
        .target(
            name: "PageAudit",
            dependencies: [
                "Dashboard", "WebVisit", larder("CacheEngine"), larder("CacheRules"), larder("Fetching"),
                larder("HTTPCacheSemantics"), larder("Locking"), larder("ResponseStore"), httpTypes,
            ], packageAccess: false, swiftSettings: strict),
        .testTarget(
            name: "PageAuditTests",
            dependencies: ["PageAudit", "WebVisit", larder("CacheEngine"), larder("CacheRules"), httpTypes],
            packageAccess: false, swiftSettings: strict),
        .target(
            name: "LarderHost",
            dependencies: [
                "ChildPrograms", larder("NIOTransport"), "WebVisit", "Dashboard", "DemoSite", "PageAudit",
                larder("CacheEngine"), larder("Decoding"),
                larder("CacheRules"), larder("CachingProxy"), larder("HTTPCacheSemantics"), larder("Fetching"),
                larder("SchemeTasks"), larder("ViewCare"),
                larder("Locking"), larder("Manifests"), larder("PageSyntax"), larder("Preloading"),
                larder("ResponseStore"), httpTypes,
                nio("NIOCore"), nio("NIOPosix"), nioSSL,
            ], packageAccess: false, swiftSettings: strict),
        // A link to Snippets in the root package, whose own build has no trait.
        .target(
            name: "QuickStart", dependencies: [larder("LarderKit")], packageAccess: false,
            swiftSettings: strict + [.define("Proxy")]),
        .target(
            name: "ManifestBuilding",
            dependencies: [
                larder("Fetching"), larder("HTTPCacheSemantics"), larder("Manifests"), larder("PageSyntax"),
            ], packageAccess: false, swiftSettings: strict),
        // Pictures, compiled in by `#embed`.
        .target(name: "CDemoFiles", exclude: ["Files"]),
        .target(name: "CDeflate", linkerSettings: [.linkedLibrary("z")]),
        .target(
            name: "SeedBuilding",
            dependencies: [
                "CDeflate", "ManifestBuilding", larder("HTTPCacheSemantics"), larder("Manifests"), larder("Preloading"),
                larder("ResponseStore"), httpTypes,
            ], packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "larder",
            dependencies: [
                "ChildPrograms", "LarderHost", "ManifestBuilding", "PageAudit", "SeedBuilding", "WebVisit", "Dashboard",
                larder("CacheEngine"),
                larder("CacheRules"),
                larder("CachingProxy"), larder("HTTPCacheSemantics"), larder("Fetching"), larder("SchemeTasks"),
                larder("ViewCare"),
                larder("Locking"),
                larder("Manifests"), larder("PageSyntax"),
                larder("Preloading"), larder("ResponseStore"), httpTypes,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], packageAccess: false, swiftSettings: strict),
        .target(name: "CAllocationCounter"),
        .target(
            name: "StoreStress",
            dependencies: [
                larder("CacheTesting"), larder("HTTPCacheSemantics"), larder("Locking"), larder("ResponseStore"),
                httpTypes,
            ], packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "store-stress", dependencies: ["StoreStress"], packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "larder-bench",
            dependencies: [
                "CAllocationCounter", larder("CacheRules"), larder("HTTPCacheSemantics"), larder("Manifests"),
                larder("ResponseStore"), httpTypes,
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            packageAccess: false, swiftSettings: strict),
        // Shared by the tests of the wire: clients and origins that know nothing of the code under test.
        .target(
            name: "WireSupport",
            dependencies: [
                larder("NIOTransport"), larder("CacheEngine"), larder("CacheTesting"), larder("CachingProxy"),
                larder("Locking"), larder("ResponseStore"), httpTypes, nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"),
                nio("NIOTLS"), nioSSL,
            ] + nioHTTP2, path: "Tests/WireSupport", packageAccess: false, swiftSettings: strict),
        .testTarget(
            name: "OriginDialingTests",
            dependencies: [
                "ChildPrograms", "WireSupport", larder("CacheEngine"), larder("CacheTesting"), larder("CachingProxy"),
                nio("NIOCore"), nio("NIOEmbedded"), nio("NIOPosix"), nioSSL,
            ], packageAccess: false, swiftSettings: strict),
        .testTarget(
            name: "NIOTransportTests",
            dependencies: [
                larder("NIOTransport"), larder("URLSessionTransport"), "WireSupport", larder("CacheEngine"),
                larder("CacheTesting"), larder("HTTPCacheSemantics"), larder("ResponseStore"), larder("LarderKit"),
                larder("CachingProxy"),
                larder("Locking"), httpTypes, nio("NIOCore"), nio("NIOPosix"), nio("NIOEmbedded"),
            ] + nioHTTP2, packageAccess: false, swiftSettings: strict),
        .testTarget(
            name: "CachingProxyTests",
            dependencies: [
                larder("NIOTransport"), "WireSupport", larder("CacheEngine"), larder("CacheTesting"),
                larder("CachingProxy"), larder("CacheRules"),
                larder("HTTPCacheSemantics"), larder("Locking"), larder("ResponseStore"), httpTypes, nio("NIOCore"),
                nio("NIOPosix"), nio("NIOEmbedded"), nioSSL,
            ], packageAccess: false, swiftSettings: strict),
        .testTarget(
            name: "HTTPMessagesTests",
            dependencies: [
                "WireSupport", larder("CacheTesting"), larder("CachingProxy"), httpTypes, nio("NIOCore"),
            ], packageAccess: false, swiftSettings: strict),
        .testTarget(
            name: "DemoSiteTests",
            dependencies: ["DemoSite", nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1")], packageAccess: false,
            swiftSettings: strict),
        .testTarget(
            name: "ManifestBuildingTests",
            dependencies: [
                "ManifestBuilding", larder("CacheTesting"), larder("HTTPCacheSemantics"), larder("Manifests"),
            ], packageAccess: false, swiftSettings: strict),
        .testTarget(
            name: "SeedBuildingTests",
            dependencies: [
                "ManifestBuilding", "SeedBuilding", larder("CacheTesting"), larder("HTTPCacheSemantics"),
                larder("Manifests"), larder("Preloading"), httpTypes,
            ], packageAccess: false, swiftSettings: strict),
        .testTarget(
            name: "DashboardTests",
            dependencies: ["Dashboard", larder("CacheEngine"), larder("CacheRules"), httpTypes],
            packageAccess: false, swiftSettings: strict),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                larder("NIOTransport"), larder("CacheEngine"), larder("CacheTesting"), larder("CachingProxy"),
                larder("HTTPCacheSemantics"), larder("Locking"), larder("ResponseStore"), httpTypes, nio("NIOCore"),
                nio("NIOPosix"),
            ], packageAccess: false, swiftSettings: strict),
        .testTarget(
            name: "ToolTests",
            dependencies: [
                "larder", "ChildPrograms", "LarderHost", "DemoSite", "PageAudit", "QuickStart", "WebVisit",
                "WireSupport",
                larder("LarderKit"), larder("NIOTransport"), larder("CachingProxy"), larder("URLSessionTransport"),
                larder("CacheEngine"), larder("CacheRules"), larder("CacheTesting"), larder("HTTPCacheSemantics"),
                larder("Fetching"), larder("SchemeTasks"), larder("ViewCare"), larder("Locking"), larder("Preloading"),
                larder("ResponseStore"), httpTypes, nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nioSSL,
            ] + webViewPrograms, packageAccess: false, swiftSettings: strict),
    ] + libraryTests + webKitGTK + faultTests
)
