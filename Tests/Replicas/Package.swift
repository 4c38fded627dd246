// swift-tools-version: 6.2

import PackageDescription

/// A warning fails the build.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
    name: "Replicas",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "APIBaseKit", path: "../..")],
    targets: [
        .systemLibrary(
            name: "CHiredis",
            pkgConfig: "hiredis",
            providers: [.apt(["libhiredis-dev"]), .brew(["hiredis"])]
        ),
        // The code to copy: three stores for replicas of a service, on a Redis-compatible server.
        .target(
            name: "RedisStores",
            dependencies: ["CHiredis", .product(name: "APIBaseKit", package: "APIBaseKit")],
            swiftSettings: strict
        ),
        // What a replica answers.
        .target(name: "Answers", swiftSettings: strict),
        // A replica of a service, which does one job and says how it went.
        .executableTarget(
            name: "replica",
            dependencies: ["RedisStores", "Answers", .product(name: "APIBaseKit", package: "APIBaseKit")],
            swiftSettings: strict
        ),
        // A Redis server, an upstream and the replicas, for tests.
        .target(
            name: "ReplicaSupport",
            dependencies: [
                "RedisStores", "Answers",
                .product(name: "DemoServer", package: "APIBaseKit"),
            ],
            path: "Tests/Support",
            swiftSettings: strict
        ),
        .testTarget(
            name: "RedisStoresTests",
            dependencies: ["RedisStores", "ReplicaSupport", .product(name: "APIBaseKit", package: "APIBaseKit")],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ReplicasTests",
            dependencies: [
                "RedisStores", "ReplicaSupport", "Answers", "replica",
                .product(name: "APIBaseKit", package: "APIBaseKit"),
            ],
            swiftSettings: strict
        ),
    ]
)
