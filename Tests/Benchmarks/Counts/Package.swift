// swift-tools-version: 6.2

import PackageDescription

/// Counts what calls allocate and how often they take a lock, which does not depend on the machine. It needs no other
/// package, so that CI can hold the figures.
let package = Package(
    name: "Counts",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "APIBaseKit", path: "../../..")],
    targets: [
        .target(name: "CCounts"),
        .executableTarget(
            name: "counts",
            dependencies: ["CCounts", .product(name: "APIBaseKit", package: "APIBaseKit")]
        ),
    ]
)
