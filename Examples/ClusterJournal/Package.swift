// swift-tools-version: 6.3

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let replication: Target.Dependency = .product(
    name: "CollectionReplication",
    package: "CollectionPipeline"
)

// A separate package, because the root package has no dependencies.
let package = Package(
    name: "ClusterJournal",
    products: [
        .library(name: "NATSJournal", targets: ["NATSJournal"]),
        .library(name: "RedisJournal", targets: ["RedisJournal"]),
        .executable(name: "journal-campaign", targets: ["journal-campaign"]),
    ],
    dependencies: [
        .package(name: "CollectionPipeline", path: "../..")
    ],
    targets: [
        .systemLibrary(name: "CNATS", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
        .systemLibrary(name: "CHiredis", providers: [.apt(["libhiredis-dev"])]),
        .target(
            name: "JournalSupport",
            dependencies: [replication],
            swiftSettings: settings
        ),
        .target(
            name: "NATSJournal",
            dependencies: ["CNATS", "JournalSupport", replication],
            swiftSettings: settings
        ),
        .target(
            name: "RedisJournal",
            dependencies: ["CHiredis", "JournalSupport", replication],
            swiftSettings: settings
        ),
        // Starts servers on free ports for the tests and `journal-campaign`.
        .target(name: "BrokerProcesses", swiftSettings: settings),
        .executableTarget(
            name: "journal-campaign",
            dependencies: [
                "BrokerProcesses", "JournalSupport", "NATSJournal", "RedisJournal", replication,
                .product(name: "CollectionPipeline", package: "CollectionPipeline"),
                .product(name: "PipelineTesting", package: "CollectionPipeline"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "JournalContractTests",
            dependencies: [
                "BrokerProcesses", "JournalSupport", "NATSJournal", "RedisJournal", replication,
                "journal-campaign",
                .product(name: "PipelineTesting", package: "CollectionPipeline"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
