// swift-tools-version: 6.2

import PackageDescription

/// Settings of every target of this package. The targets that hold other people's code as tests leave them out.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The systems without a Combine of their own.
let withoutCombine = TargetDependencyCondition.when(platforms: [.linux, .android])

let package = Package(
    name: "APIBaseKit",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "APIBaseKit", targets: ["APIBaseKit"]),
        .library(name: "HTTPTransport", targets: ["HTTPTransport"]),
        .library(name: "PortableCombine", targets: ["PortableCombine"]),
        .library(name: "JSONPlaceholder", targets: ["JSONPlaceholder"]),
        .library(name: "Unsplash", targets: ["Unsplash"]),
        .library(name: "AppleRSS", targets: ["AppleRSS"]),
        .library(name: "TodoDemo", targets: ["TodoDemo"]),
        .library(name: "DemoServer", targets: ["DemoServer"]),
        .executable(name: "apibase", targets: ["apibase"]),
    ],
    targets: [
        // The ground: one lock, our publishers, and the choice between them and the system's.
        .target(name: "Locking", swiftSettings: strict),
        .target(name: "CombineFallback", dependencies: ["Locking"], swiftSettings: strict),
        .target(
            name: "PortableCombine",
            dependencies: [.target(name: "CombineFallback", condition: withoutCombine)],
            swiftSettings: strict
        ),

        // One exchange, safely; and on it the class hierarchy this package is for.
        .target(name: "HTTPTransport", dependencies: ["PortableCombine", "Locking"], swiftSettings: strict),
        .target(
            name: "APIBaseKit",
            dependencies: ["HTTPTransport", "PortableCombine", "Locking"],
            swiftSettings: strict
        ),

        // One library per remote API.
        .target(name: "JSONPlaceholder", dependencies: ["APIBaseKit"], swiftSettings: strict),
        .target(name: "Unsplash", dependencies: ["APIBaseKit"], swiftSettings: strict),
        .target(name: "AppleRSS", dependencies: ["APIBaseKit"], swiftSettings: strict),
        .target(name: "TodoDemo", dependencies: ["APIBaseKit"], swiftSettings: strict),

        // A loopback server that knows nothing of the kit, and the command that shows both.
        .target(name: "DemoServer", dependencies: ["Locking"], swiftSettings: strict),
        .executableTarget(
            name: "apibase",
            dependencies: ["JSONPlaceholder", "Unsplash", "AppleRSS", "TodoDemo", "DemoServer"],
            swiftSettings: strict
        ),

        .testTarget(name: "LockingTests", dependencies: ["Locking"], swiftSettings: strict),
        .testTarget(
            name: "CombineFallbackTests",
            dependencies: ["PortableCombine", "Locking"],
            swiftSettings: strict
        ),
        .testTarget(name: "DemoServerTests", dependencies: ["DemoServer"], swiftSettings: strict),
        .testTarget(
            name: "HTTPTransportTests",
            dependencies: ["HTTPTransport", "DemoServer", "Locking"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "APIBaseKitTests",
            dependencies: ["APIBaseKit", "DemoServer", "Locking"],
            swiftSettings: strict
        ),
    ]
)
