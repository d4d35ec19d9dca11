// swift-tools-version: 6.3

import PackageDescription

// Deliberate bugs for the simulator to find; no build has them that is not asked to.
let mutants: [SwiftSetting] =
    Context.environment["PIPELINE_MUTANTS"] == nil ? [] : [.define("PIPELINE_MUTANTS")]

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + mutants

let package = Package(
    name: "CollectionPipeline",
    products: [
        .library(name: "CollectionChanges", targets: ["CollectionChanges"]),
        .library(name: "CollectionSnapshots", targets: ["CollectionSnapshots"]),
        .library(name: "CollectionElements", targets: ["CollectionElements"]),
        .library(name: "CollectionLayouts", targets: ["CollectionLayouts"]),
        .library(name: "CollectionPipeline", targets: ["CollectionPipeline"]),
        .library(name: "CollectionPublishing", targets: ["CollectionPublishing"]),
        .library(name: "CollectionReplication", targets: ["CollectionReplication"]),
        .library(name: "SimulatedView", targets: ["SimulatedView"]),
        .library(name: "PipelineTesting", targets: ["PipelineTesting"]),
        .library(name: "PipelineTrace", targets: ["PipelineTrace"]),
        .executable(name: "hello-pipeline", targets: ["hello-pipeline"]),
        .executable(name: "git-timelapse", targets: ["git-timelapse"]),
        .executable(name: "changeset-lint", targets: ["changeset-lint"]),
        .executable(name: "pipeline-benchmarks", targets: ["pipeline-benchmarks"]),
        .executable(name: "pipeline-simulate", targets: ["pipeline-simulate"]),
        .executable(name: "layout-gallery", targets: ["layout-gallery"]),
    ],
    targets: [
        .target(name: "PersistentTrees", swiftSettings: settings),
        .target(
            name: "CollectionChanges",
            dependencies: ["PersistentTrees"],
            swiftSettings: settings
        ),
        .target(
            name: "CollectionSnapshots",
            dependencies: ["CollectionChanges", "PersistentTrees"],
            swiftSettings: settings
        ),
        .target(
            name: "CollectionElements",
            dependencies: ["CollectionChanges", "PersistentTrees"],
            swiftSettings: settings
        ),
        .target(
            name: "CollectionLayouts",
            dependencies: ["CollectionChanges", "CollectionElements", "PersistentTrees"],
            swiftSettings: settings
        ),
        .target(
            name: "CollectionPipeline",
            dependencies: [
                "CollectionChanges", "CollectionElements", "CollectionSnapshots", "PersistentTrees",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "CollectionPublishing",
            dependencies: ["CollectionPipeline", "PersistentTrees"],
            swiftSettings: settings
        ),
        .target(
            name: "CollectionReplication",
            dependencies: ["CollectionPublishing", "PersistentTrees"],
            swiftSettings: settings
        ),
        .target(
            name: "PipelineTesting",
            dependencies: ["CollectionReplication", "SimulatedView"],
            swiftSettings: settings
        ),
        .target(
            name: "SimulatedView",
            dependencies: ["CollectionLayouts", "CollectionPipeline"],
            swiftSettings: settings
        ),
        .target(
            name: "PipelineTrace",
            dependencies: ["CollectionLayouts", "SimulatedView"],
            swiftSettings: settings
        ),

        .executableTarget(
            name: "hello-pipeline",
            dependencies: ["SimulatedView"],
            path: "Examples/hello-pipeline",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "git-timelapse",
            dependencies: ["PipelineTrace", "SimulatedView"],
            path: "Examples/git-timelapse",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "changeset-lint",
            dependencies: ["CollectionPipeline"],
            path: "Examples/changeset-lint",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "pipeline-benchmarks",
            dependencies: [
                "SimulatedView", "CollectionReplication", "BenchmarkInstruments", "PersistentTrees",
            ],
            path: "Examples/pipeline-benchmarks",
            exclude: ["BenchmarkInstruments"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "layout-gallery",
            dependencies: ["PipelineTrace", "SimulatedView"],
            path: "Examples/layout-gallery",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "pipeline-simulate",
            dependencies: ["PipelineTesting", "ProcessorAffinity"],
            path: "Examples/pipeline-simulate",
            exclude: ["ProcessorAffinity"],
            swiftSettings: settings
        ),
        // C, because the calls are extensions that Swift does not import.
        .target(
            name: "ProcessorAffinity",
            path: "Examples/pipeline-simulate/ProcessorAffinity"
        ),
        // C, because no Swift function can stand in for `malloc`.
        .target(
            name: "BenchmarkInstruments",
            path: "Examples/pipeline-benchmarks/BenchmarkInstruments"
        ),

        .testTarget(
            name: "PersistentTreesTests",
            dependencies: ["PersistentTrees", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CollectionChangesTests",
            dependencies: ["CollectionChanges", "PersistentTrees", "TestSupport"],
            resources: [.copy("Vectors")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CollectionSnapshotsTests",
            dependencies: ["CollectionSnapshots", "TestSupport"],
            swiftSettings: settings
        ),
        .target(
            name: "TestSupport",
            dependencies: ["CollectionChanges", "CollectionElements", "PersistentTrees"],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "PipelineTestSupport",
            dependencies: ["PipelineTesting", "TestSupport"],
            path: "Tests/PipelineTestSupport",
            swiftSettings: settings
        ),
        .testTarget(
            name: "CollectionElementsTests",
            dependencies: ["CollectionElements", "PersistentTrees", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CollectionLayoutsTests",
            dependencies: ["CollectionLayouts", "PersistentTrees", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CollectionPipelineTests",
            dependencies: ["CollectionPipeline", "PipelineTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CollectionPublishingTests",
            dependencies: ["CollectionPublishing", "PersistentTrees", "PipelineTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CollectionReplicationTests",
            dependencies: ["CollectionReplication", "PipelineTesting", "PipelineTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimulatedViewTests",
            dependencies: ["SimulatedView", "PipelineTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PipelineTestingTests",
            dependencies: ["PipelineTesting", "PipelineTestSupport", "SimulatedView"],
            resources: [.copy("Cases")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PipelineSimulateTests",
            dependencies: ["pipeline-simulate", "PipelineTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PipelineTraceTests",
            dependencies: ["PipelineTrace", "SimulatedView", "PipelineTestSupport"],
            exclude: ["Pictures", "Traces"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StressTests",
            dependencies: ["SimulatedView", "PipelineTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "CollectionReplication", "PipelineTrace", "PipelineTesting", "SimulatedView",
                "PipelineTestSupport",
            ],
            exclude: ["Promises"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChangesetLintTests",
            dependencies: ["changeset-lint", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "GitTimelapseTests",
            dependencies: ["git-timelapse", "PipelineTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LayoutGalleryTests",
            dependencies: [
                "layout-gallery", "PipelineTrace", "TestSupport", "SimulatedView",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PipelineBenchmarksTests",
            dependencies: ["pipeline-benchmarks", "PipelineTestSupport"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

if Context.environment["PIPELINE_FUZZ"] != nil {
    // An executable is not linked with others, so that these become libraries: they lose their `main.swift`,
    // and give away what is internal. Not pipeline-benchmarks, which would bring a `malloc` of its own.
    let fuzzed = ["changeset-lint", "git-timelapse", "layout-gallery", "pipeline-simulate"]
    package.products.removeAll { product in fuzzed.contains(product.name) }
    for (index, target) in package.targets.enumerated() where fuzzed.contains(target.name) {
        package.targets[index] = .target(
            name: target.name,
            dependencies: target.dependencies,
            path: target.path,
            exclude: target.exclude + ["main.swift"],
            swiftSettings: settings + [.unsafeFlags(["-enable-testing"])]
        )
    }
    // Without libFuzzer it has no main, and nothing could be linked.
    package.targets.append(
        .executableTarget(
            name: "pipeline-fuzz",
            dependencies: ["SimulatedView"] + fuzzed.map { .byName(name: $0) },
            path: "Examples/pipeline-fuzz",
            exclude: ["decoders.dict"],
            swiftSettings: settings
        )
    )
}

if Context.environment["PIPELINE_SANITIZED"] != nil {
    // Only what is run under sanitizers, with which all else takes long to build.
    let sanitized = [
        "CollectionElementsTests", "CollectionPipelineTests", "CollectionPublishingTests",
        "CollectionReplicationTests", "PersistentTreesTests", "PipelineTestingTests", "StressTests",
    ]
    package.products.removeAll { $0 is Product.Executable }
    package.targets.removeAll { target in
        target.type == .executable || target.type == .test && !sanitized.contains(target.name)
    }
    // Of these, what runs on threads.
    let threaded = [
        "CollectionReplicationTests": ["Member/ThreadedMemberTests.swift", "StagedSource.swift"],
        "PipelineTestingTests": ["LaneContractTests.swift"],
    ]
    for target in package.targets {
        if let sources = threaded[target.name] { target.sources = sources }
    }
}
