// swift-tools-version: 6.3

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// Brokers need C libraries, which a single server does without.
let hasBrokers = Context.environment["LIVE_BOARD_CLUSTER"] != nil
let brokers: [Package.Dependency] = hasBrokers ? [.package(path: "../ClusterJournal")] : []
let journals: [Target.Dependency] =
    hasBrokers
    ? ["NATSJournal", "RedisJournal"].map { .product(name: $0, package: "ClusterJournal") } : []

let libraries: [Target.Dependency] = [
    .product(name: "CollectionPipeline", package: "CollectionPipeline"),
    .product(name: "CollectionPublishing", package: "CollectionPipeline"),
    .product(name: "CollectionReplication", package: "CollectionPipeline"),
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "HummingbirdCore", package: "hummingbird"),
    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
    .product(name: "Logging", package: "swift-log"),
    .product(name: "Metrics", package: "swift-metrics"),
    .product(name: "Tracing", package: "swift-distributed-tracing"),
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "HTTPTypes", package: "swift-http-types"),
]

// A separate package, because the root package has no dependencies.
let package = Package(
    name: "LiveBoard",
    dependencies: [
        .package(name: "CollectionPipeline", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    ] + brokers,
    targets: [
        .target(name: "LiveBoardServer", dependencies: libraries, swiftSettings: settings),
        .executableTarget(
            name: "LiveBoard",
            dependencies: [
                "LiveBoardServer",
                .product(name: "CollectionReplication", package: "CollectionPipeline"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ] + journals,
            swiftSettings: settings + (hasBrokers ? [.define("LIVE_BOARD_CLUSTER")] : [])
        ),
        .testTarget(
            name: "LiveBoardServerTests",
            dependencies: libraries + [
                "LiveBoardServer",
                .product(name: "PipelineTesting", package: "CollectionPipeline"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
