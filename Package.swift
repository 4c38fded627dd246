// swift-tools-version: 6.2

import PackageDescription

/// Settings of every target of this package. The targets that hold other people's code as tests leave them out.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The settings of Combine and of all modules that re-export it: Swift 5, with the checks of Swift 6.
///
/// If an operator calls an actor's closure elsewhere, the closure traps only if the operator comes from a module in the
/// language mode of Swift 5, as Apple's Combine is (SE-0423). With Swift 6, it is a silent data race.
let checkedInUse: [SwiftSetting] =
    strict + [.swiftLanguageMode(.v5)]
    + [
        "BareSlashRegexLiterals", "ConciseMagicFile", "DeprecateApplicationMain", "DisableOutwardActorInference",
        "DynamicActorIsolation", "ForwardTrailingClosures", "GlobalActorIsolatedTypesUsability", "GlobalConcurrency",
        "ImplicitOpenExistentials", "InferSendableFromCaptures", "IsolatedDefaultValues", "RegionBasedIsolation",
        "StrictConcurrency",
    ]
    .map { .enableUpcomingFeature($0) }

/// The systems without Combine.
let withoutCombine = TargetDependencyCondition.when(platforms: [.linux, .android])

/// The systems whose libcurl can be found at run time.
let withLibcurl = TargetDependencyCondition.when(platforms: [.linux, .android])

/// The privacy manifest: a resource for Apple's systems. Elsewhere it would only cost a bundle.
#if canImport(Darwin)
let privacy = (resources: [Resource.process("PrivacyInfo.xcprivacy")], excluded: [String]())
#else
let privacy = (resources: [Resource](), excluded: ["PrivacyInfo.xcprivacy"])
#endif

/// The code of the five articles that the package comes from, as it was written: one module each, and Swift 5.
let seeds: [Target] = ["000", "001", "002", "003", "004"].map { number in
    .testTarget(
        name: "Seed\(number)Tests",
        dependencies: ["APIBaseKit", "DemoServer"],
        path: "Tests/Seeds/Seed\(number)Tests",
        swiftSettings: [.swiftLanguageMode(.v5)]
    )
}

/// What the core and each feature import of the modules below them.
let core: [Target.Dependency] = [
    "HTTPTransport", "PortableCombine", "StrictJSON", "APIBaseModels", "APIBaseRedaction", "Basics",
]

/// The features, which import the core.
let features: [Target.Dependency] = [
    "APIBaseStreams", "APIBaseCache", "APIBaseLimits", "APIBaseGraphQL", "APIBaseLogs", "APIBaseSignIn",
    "APIBaseSigning",
]

let package = Package(
    name: "APIBaseKit",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "APIBaseKit", targets: ["APIBaseKit"]),
        .library(name: "APIBaseCore", targets: ["APIBaseCore"]),
        .library(name: "APIBaseStreams", targets: ["APIBaseStreams"]),
        .library(name: "APIBaseCache", targets: ["APIBaseCache"]),
        .library(name: "APIBaseLimits", targets: ["APIBaseLimits"]),
        .library(name: "APIBaseGraphQL", targets: ["APIBaseGraphQL"]),
        .library(name: "APIBaseConnections", targets: ["APIBaseConnections"]),
        .library(name: "APIBaseLogs", targets: ["APIBaseLogs"]),
        .library(name: "APIBaseSignIn", targets: ["APIBaseSignIn"]),
        .library(name: "APIBaseModels", targets: ["APIBaseModels"]),
        .library(name: "APIBaseRedaction", targets: ["APIBaseRedaction"]),
        .library(name: "SafeFiles", targets: ["SafeFiles"]),
        .library(name: "APIBaseStubs", targets: ["APIBaseStubs"]),
        .library(name: "APIBaseRecording", targets: ["APIBaseRecording"]),
        .library(name: "APIBaseInspector", targets: ["APIBaseInspector"]),
        .library(name: "APIBaseTesting", targets: ["APIBaseTesting"]),
        .library(name: "OpenAPIStubs", targets: ["OpenAPIStubs"]),
        .library(name: "APIBaseContract", targets: ["APIBaseContract"]),
        .library(name: "APIBaseSigning", targets: ["APIBaseSigning"]),
        .library(name: "APIBaseSockets", targets: ["APIBaseSockets"]),
        .library(name: "HTTPTransport", targets: ["HTTPTransport"]),
        .library(name: "PortableCombine", targets: ["PortableCombine"]),
        .library(name: "StrictJSON", targets: ["StrictJSON"]),
        .library(name: "JSONPlaceholder", targets: ["JSONPlaceholder"]),
        .library(name: "Unsplash", targets: ["Unsplash"]),
        .library(name: "AppleRSS", targets: ["AppleRSS"]),
        .library(name: "TodoDemo", targets: ["TodoDemo"]),
        .library(name: "DemoServer", targets: ["DemoServer"]),
        .executable(name: "apibase", targets: ["apibase"]),
    ],
    targets: [
        // The ground: one lock, our publishers, and the choice between them and the system's.
        .target(name: "Basics", swiftSettings: strict),
        .target(name: "CombineFallback", dependencies: ["Basics"], swiftSettings: checkedInUse),
        .target(
            name: "PortableCombine",
            dependencies: ["Basics", .target(name: "CombineFallback", condition: withoutCombine)],
            swiftSettings: checkedInUse
        ),

        // JSON, read faster than Foundation reads it.
        .target(name: "StrictJSON", dependencies: ["Basics"], swiftSettings: strict),

        // libcurl's functions, found at run time: nothing of it is needed to build, and nothing is built for Apple.
        .target(name: "CCurl"),

        // One exchange, safely; and on it the class hierarchy this package is for.
        .target(
            name: "HTTPTransport",
            dependencies: ["PortableCombine", "Basics", .target(name: "CCurl", condition: withLibcurl)],
            swiftSettings: strict
        ),
        .target(name: "APIBaseRedaction", dependencies: ["HTTPTransport", "Basics"], swiftSettings: strict),
        .target(
            name: "SafeFiles",
            dependencies: ["Basics"],
            exclude: privacy.excluded,
            resources: privacy.resources,
            swiftSettings: strict
        ),
        .target(name: "APIBaseModels", dependencies: ["StrictJSON", "Basics"], swiftSettings: strict),
        .target(name: "APIBaseCore", dependencies: core, swiftSettings: checkedInUse),

        // Features. Each imports the core, none another, and the core names none of them.
        .target(
            name: "APIBaseStreams",
            dependencies: ["APIBaseCore", "SafeFiles"] + core,
            swiftSettings: checkedInUse
        ),
        .target(name: "APIBaseCache", dependencies: ["APIBaseCore", "SafeFiles"] + core, swiftSettings: checkedInUse),
        .target(name: "APIBaseLimits", dependencies: ["APIBaseCore"] + core, swiftSettings: checkedInUse),
        .target(name: "APIBaseGraphQL", dependencies: ["APIBaseCore"] + core, swiftSettings: checkedInUse),
        .target(name: "APIBaseLogs", dependencies: ["APIBaseCore"] + core, swiftSettings: checkedInUse),
        .target(
            name: "APIBaseSignIn",
            dependencies: ["APIBaseCore", "SafeFiles", "LoopbackServer"] + core,
            swiftSettings: checkedInUse
        ),
        .target(name: "APIBaseSigning", dependencies: ["APIBaseCore"] + core, swiftSettings: checkedInUse),

        // Where two features meet: the lists of a GraphQL API.
        .target(
            name: "APIBaseConnections",
            dependencies: ["APIBaseStreams", "APIBaseGraphQL", "APIBaseCore"] + core,
            swiftSettings: checkedInUse
        ),

        // WebSockets. Beside the name that most programs import, so that only programs with sockets have them.
        .target(
            name: "APIBaseSockets",
            dependencies: ["APIBaseStreams", "APIBaseCore"] + core,
            swiftSettings: checkedInUse
        ),

        // The name that most programs import: the core and all features, without code of its own.
        .target(
            name: "APIBaseKit",
            dependencies: ["APIBaseCore", "APIBaseConnections"] + features,
            swiftSettings: checkedInUse
        ),

        // Stubs and recordings that answer in place of the network, and their traits for Swift Testing.
        .target(
            name: "APIBaseStubs",
            dependencies: ["APIBaseKit", "HTTPTransport", "StrictJSON", "Basics"],
            swiftSettings: checkedInUse
        ),
        .target(
            name: "APIBaseRecording",
            dependencies: ["APIBaseStubs", "APIBaseKit", "HTTPTransport", "Basics"],
            swiftSettings: checkedInUse
        ),
        .target(name: "APIBaseTesting", dependencies: ["APIBaseRecording"], swiftSettings: checkedInUse),

        // A page that shows the calls of a process.
        .target(
            name: "APIBaseInspector",
            dependencies: ["APIBaseRecording", "APIBaseKit", "HTTPTransport", "LoopbackServer", "Basics"],
            resources: [.embedInCode("Page/Inspector.html")],
            swiftSettings: strict
        ),

        // One library per remote API.
        .target(name: "JSONPlaceholder", dependencies: ["APIBaseKit"], swiftSettings: strict),
        .target(name: "Unsplash", dependencies: ["APIBaseKit"], swiftSettings: strict),
        .target(name: "AppleRSS", dependencies: ["APIBaseKit"], swiftSettings: strict),
        .target(name: "TodoDemo", dependencies: ["APIBaseKit", "APIBaseSockets"], swiftSettings: strict),

        // OpenAPI documents: stubs and tests that are held to one, and the classes of its API.
        .target(name: "OpenAPIDocument", dependencies: ["Basics"], swiftSettings: strict),
        .target(
            name: "OpenAPIStubs",
            dependencies: [
                "OpenAPIDocument", "APIBaseStubs", "APIBaseKit", "HTTPTransport", "APIBaseRedaction", "Basics",
            ],
            swiftSettings: checkedInUse
        ),
        .target(
            name: "APIBaseContract",
            dependencies: ["OpenAPIStubs", "OpenAPIDocument", "APIBaseTesting", "APIBaseStubs"],
            swiftSettings: checkedInUse
        ),
        .target(name: "APIBaseGenerator", dependencies: ["OpenAPIDocument", "Basics"], swiftSettings: strict),

        // Servers on loopback that know nothing of the kit, and the command that shows both.
        .target(name: "LoopbackServer", dependencies: ["Basics"], swiftSettings: strict),
        .target(name: "DemoServer", dependencies: ["LoopbackServer", "Basics"], swiftSettings: strict),
        .executableTarget(
            name: "apibase",
            dependencies: [
                "APIBaseInspector", "APIBaseRecording", "APIBaseGenerator", "APIBaseSockets", "OpenAPIDocument",
                "HTTPTransport", "APIBaseRedaction", "JSONPlaceholder", "Unsplash", "AppleRSS", "TodoDemo",
                "DemoServer", "Basics",
            ],
            swiftSettings: strict
        ),

        // How many tests run at a time.
        .target(name: "TestWidth", path: "Tests/TestWidth"),
        // Which tests run, and how much of each.
        .target(name: "TestTiers", dependencies: ["TestWidth"], path: "Tests/TestTiers", swiftSettings: strict),
        .testTarget(name: "BasicsTests", dependencies: ["Basics", "TestTiers"], swiftSettings: strict),
        .testTarget(
            name: "StrictJSONTests",
            dependencies: ["TestTiers", "StrictJSON", "Basics"],
            swiftSettings: strict
        ),
        // A client that sends raw bytes, for the tests of servers.
        .target(name: "RawClient", dependencies: ["LoopbackServer"], path: "Tests/RawClient", swiftSettings: strict),
        .testTarget(
            name: "LoopbackServerTests",
            dependencies: ["TestTiers", "LoopbackServer", "RawClient"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DemoServerTests",
            dependencies: ["TestTiers", "DemoServer", "RawClient"],
            swiftSettings: strict
        ),
        // Servers that misbehave on request, for the tests and the probe.
        .target(
            name: "HostileServer",
            dependencies: ["HTTPTransport", "PortableCombine", "LoopbackServer", "Basics"],
            path: "Tests/HostileServer",
            swiftSettings: strict
        ),
        .testTarget(
            name: "HTTPTransportTests",
            dependencies: ["TestTiers", "HTTPTransport", "HostileServer", "DemoServer", "Basics", "probe"],
            swiftSettings: strict
        ),
        // A separate process, to measure or survive what tests in one process cannot.
        .executableTarget(
            name: "probe",
            dependencies: [
                "APIBaseStubs", "StrictJSON", "HostileServer", "DemoServer", "Basics",
                .target(name: "CCurl", condition: withLibcurl),
            ],
            path: "Tests/Probe",
            swiftSettings: strict
        ),
        .testTarget(
            name: "APIBaseKitTests",
            dependencies: [
                "TestTiers", "APIBaseKit", "SafeFiles", "APIBaseModels", "APIBaseRedaction", "APIBaseStubs",
                "APIBaseRecording", "StrictJSON", "HostileServer",
                "DemoServer", "Basics", "probe",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "APIBaseStubsTests",
            dependencies: ["TestTiers", "APIBaseStubs", "JSONPlaceholder", "DemoServer", "Basics"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "APIBaseRecordingTests",
            dependencies: [
                "TestTiers", "APIBaseRecording", "APIBaseSockets", "JSONPlaceholder", "Unsplash", "AppleRSS",
                "TodoDemo", "DemoServer", "Basics",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "APIBaseInspectorTests",
            dependencies: [
                "TestTiers", "APIBaseInspector", "APIBaseRecording", "APIBaseStubs", "APIBaseSockets", "HostileServer",
                "LoopbackServer", "RawClient", "Basics",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "APIBaseTestingTests",
            dependencies: ["TestTiers", "APIBaseTesting", "JSONPlaceholder"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "APIBaseSigningTests",
            dependencies: ["TestTiers", "APIBaseSigning", "HTTPTransport", "Basics"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "APIBaseSocketsTests",
            dependencies: [
                "TestTiers", "APIBaseSockets", "APIBaseTesting", "APIBaseKit", "HostileServer", "LoopbackServer",
                "HTTPTransport", "Basics",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "OpenAPIDocumentTests",
            dependencies: ["TestTiers", "OpenAPIDocument"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "APIBaseContractTests",
            dependencies: ["TestTiers", "APIBaseContract"],
            exclude: ["bookshop.json"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "APIBaseGeneratorTests",
            dependencies: ["TestTiers", "APIBaseGenerator", "OpenAPIDocument"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "JSONPlaceholderTests",
            dependencies: ["TestTiers", "JSONPlaceholder", "APIBaseContract", "DemoServer"],
            exclude: ["openapi.json"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "UnsplashTests",
            dependencies: ["TestTiers", "Unsplash", "APIBaseContract", "DemoServer"],
            exclude: ["openapi.json"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AppleRSSTests",
            dependencies: ["TestTiers", "AppleRSS", "APIBaseContract", "DemoServer"],
            exclude: ["openapi.json"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TodoDemoTests",
            dependencies: ["TestTiers", "TodoDemo", "APIBaseContract", "DemoServer"],
            exclude: ["openapi.json"],
            swiftSettings: strict
        ),
        // Every kind of call with every feature.
        .testTarget(
            name: "PairTests",
            dependencies: ["TestTiers", "APIBaseRecording", "APIBaseStubs", "APIBaseKit", "Basics"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ReadmeTests",
            dependencies: [
                "TestTiers", "APIBaseContract", "APIBaseTesting", "APIBaseSigning", "APIBaseSockets",
                "APIBaseInspector", "StrictJSON", "AppleRSS", "TodoDemo", "Unsplash",
            ],
            exclude: ["openapi.json"],
            swiftSettings: strict
        ),
        // The same samples in a target as of a new app, where everything belongs to the main actor unless it says otherwise.
        .testTarget(
            name: "IsolatedSampleTests",
            dependencies: [
                "TestTiers", "APIBaseContract", "APIBaseTesting", "APIBaseSigning", "APIBaseSockets",
                "APIBaseInspector", "StrictJSON", "AppleRSS", "TodoDemo", "Unsplash",
            ],
            exclude: ["openapi.json"],
            swiftSettings: strict + [
                .defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"),
            ]
        ),
        // A whole program as a reader would write it: a shop's API for many merchants, and a sync of it into files.
        .testTarget(name: "ShopTests", dependencies: ["TestTiers", "APIBaseTesting"], swiftSettings: strict),
        // The package that the tutorial builds, under other names: a reader's package has its targets beside these.
        .target(name: "TutorialBlog", dependencies: ["APIBaseKit"], path: "Tests/Tutorial/Sources/Blog"),
        .executableTarget(
            name: "TutorialReadBlog",
            dependencies: ["TutorialBlog"],
            path: "Tests/Tutorial/Sources/readblog"
        ),
        .testTarget(
            name: "TutorialBlogTests",
            dependencies: ["TutorialBlog", "APIBaseTesting", "DemoServer"],
            path: "Tests/Tutorial/Tests/BlogTests"
        ),
        .testTarget(
            name: "apibaseTests",
            dependencies: ["TestTiers", "apibase", "HostileServer", "DemoServer", "Basics"],
            swiftSettings: strict
        ),
    ]
        + seeds
)

// Where the system has a Combine, they would test that one.
#if !canImport(Combine)
package.targets.append(
    .testTarget(
        name: "CombineFallbackTests",
        dependencies: ["TestTiers", "PortableCombine", "Basics"],
        swiftSettings: strict
    )
)
#endif
