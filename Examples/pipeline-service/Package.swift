// swift-tools-version: 6.3

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let dependencies: [Target.Dependency] = [
    .product(name: "CollectionPipeline", package: "CollectionPipeline"),
    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
    .product(name: "UnixSignals", package: "swift-service-lifecycle"),
    .product(name: "Logging", package: "swift-log"),
]

// A package of its own, because the root depends on nothing.
let package = Package(
    name: "pipeline-service",
    dependencies: [
        .package(name: "CollectionPipeline", path: "../.."),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .executableTarget(
            name: "pipeline-service",
            dependencies: dependencies,
            swiftSettings: settings
        ),
        .testTarget(
            name: "PipelineServiceTests",
            dependencies: dependencies + ["pipeline-service"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
