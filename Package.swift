// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "CollectionPipeline",
    products: [
        .library(name: "CollectionChanges", targets: ["CollectionChanges"]),
        .library(name: "CollectionElements", targets: ["CollectionElements"]),
        .library(name: "CollectionPipeline", targets: ["CollectionPipeline"]),
        .library(name: "SimulatedView", targets: ["SimulatedView"]),
        .executable(name: "git-timelapse", targets: ["git-timelapse"]),
    ],
    targets: [
        .target(name: "CollectionChanges", swiftSettings: settings),
        .target(
            name: "CollectionElements",
            dependencies: ["CollectionChanges"],
            swiftSettings: settings
        ),
        .target(
            name: "CollectionPipeline",
            dependencies: ["CollectionChanges", "CollectionElements"],
            swiftSettings: settings
        ),
        .target(
            name: "SimulatedView",
            dependencies: ["CollectionPipeline"],
            swiftSettings: settings
        ),

        .executableTarget(
            name: "git-timelapse",
            dependencies: ["CollectionChanges"],
            path: "Examples/git-timelapse",
            swiftSettings: settings
        ),

        .testTarget(
            name: "CollectionChangesTests",
            dependencies: ["CollectionChanges"],
            resources: [.copy("Vectors")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "GitTimelapseTests",
            dependencies: ["git-timelapse"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
