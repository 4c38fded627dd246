// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Autobahn",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "APIBaseKit", path: "../..")],
    targets: [
        .executableTarget(
            name: "autobahn",
            dependencies: [.product(name: "APIBaseSockets", package: "APIBaseKit")]
        )
    ]
)
