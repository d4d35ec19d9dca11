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

// A package of its own, because the root depends on nothing.
let package = Package(
    name: "ClusterJournal",
    products: [
        .library(name: "NATSJournal", targets: ["NATSJournal"]),
        .library(name: "RedisJournal", targets: ["RedisJournal"]),
        .executable(name: "journal-bench", targets: ["journal-bench"]),
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
        // Servers of one's own on free ports, for the tests and for `journal-bench`.
        .target(
            name: "BrokerProcesses",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "journal-bench",
            dependencies: [
                "BrokerProcesses", "CHiredis", "CNATS", "JournalSupport", "NATSJournal",
                "RedisJournal", replication,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "JournalContractTests",
            dependencies: [
                "BrokerProcesses", "JournalSupport", "NATSJournal", "RedisJournal", replication,
                .product(name: "PipelineTesting", package: "CollectionPipeline"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
