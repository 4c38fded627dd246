// swift-tools-version: 6.2

import PackageDescription

/// `OnOurs` is compiled twice, once on our publishers and once on OpenCombine's: `OnOpenCombine` is a link to it.
/// `Publishers.swift` imports the publishers.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "APIBaseKit", path: "../.."),
        .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.36.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    ],
    targets: [
        .target(name: "CAllocations"),
        .target(name: "Harness", dependencies: ["CAllocations"]),
        .target(name: "Chains"),
        .target(name: "CIsolation"),
        .target(name: "CTransfers"),
        .target(
            name: "OnOurs",
            dependencies: ["Harness", "Chains", .product(name: "PortableCombine", package: "APIBaseKit")]
        ),
        .target(
            name: "OnOpenCombine",
            dependencies: [
                "Harness",
                "Chains",
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineDispatch", package: "OpenCombine"),
                .product(name: "OpenCombineFoundation", package: "OpenCombine"),
            ],
            exclude: ["CombineLatest.swift"],
            swiftSettings: [.define("OPENCOMBINE")]
        ),
        .executableTarget(
            name: "transport",
            dependencies: [
                "Harness",
                "CAllocations",
                "CTransfers",
                .product(name: "HTTPTransport", package: "APIBaseKit"),
                .product(name: "JSONPlaceholder", package: "APIBaseKit"),
                .product(name: "APIBaseKit", package: "APIBaseKit"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        .executableTarget(
            name: "events",
            dependencies: ["Harness", .product(name: "APIBaseKit", package: "APIBaseKit")]
        ),
        .executableTarget(
            name: "sockets",
            dependencies: [
                "Harness",
                .product(name: "APIBaseSockets", package: "APIBaseKit"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            exclude: ["client.py"]
        ),
        .executableTarget(
            name: "documents",
            dependencies: ["Harness", .product(name: "OpenAPIStubs", package: "APIBaseKit")]
        ),
        .executableTarget(name: "publishers", dependencies: ["Harness", "OnOurs", "OnOpenCombine"]),
        .executableTarget(
            name: "decoding",
            dependencies: ["Harness", .product(name: "StrictJSON", package: "APIBaseKit")]
        ),
        .executableTarget(name: "differential", dependencies: ["CIsolation", "Chains", "OnOurs", "OnOpenCombine"]),
    ]
)
