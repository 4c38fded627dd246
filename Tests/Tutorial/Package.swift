// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Blog",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [.library(name: "Blog", targets: ["Blog"])],
    dependencies: [.package(path: "Vendor/APIBaseKit")],
    targets: [
        .target(name: "Blog", dependencies: [.product(name: "APIBaseKit", package: "APIBaseKit")]),
        .executableTarget(name: "readblog", dependencies: ["Blog"]),
        .testTarget(
            name: "BlogTests",
            dependencies: [
                "Blog",
                .product(name: "APIBaseTesting", package: "APIBaseKit"),
                .product(name: "DemoServer", package: "APIBaseKit"),
            ]
        ),
    ]
)
