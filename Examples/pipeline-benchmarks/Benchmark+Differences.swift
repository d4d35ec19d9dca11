import CollectionPipeline

// What it costs to find the edits between two states.

extension Benchmark {
    static let differences: [Benchmark] = [
        DifferenceInput.allCases.map { overHeckel($0) },
        [DifferenceInput.same, .append, .prepend, .rand1].map { overStandardLibrary($0) },
        SectionedInput.allCases.map { sectioned($0) },
        [draggedRow, sharedSnapshot],
    ].flatMap(\.self)

    private static let draggedRow = Benchmark(
        "difference.dragged-row.moves",
        "moves for one row dragged from the first to the last of 5,000 places: over those of a plain"
            + " Heckel difference",
        in: .moves,
        goal: .valueAtMost(1)
    ) { _ in
        let old = Array(0..<5_000)
        let new = Array(1..<5_000) + [0]
        let update = try ValidatedChangeSet(fromIdentifiers: old, to: new)
        return Measurement(
            Samples(exactly: Double(update.itemInsertions.count)),
            over: Samples(exactly: Double(PlainHeckel(from: old, to: new).count))
        )
    }

    private static let sharedSnapshot = Benchmark(
        "difference.shared-snapshot",
        "from one snapshot to another that 10 edits made of it: of 1,000,000 items over of 1,000",
        goal: .ratioAtMost(4)
    ) { bench in
        try bench.clear()
        let large = try SnapshotPair(bench.scale.million)
        let small = try SnapshotPair(Scale.thousand)
        return try bench.samples(.hundreds) {
            try large.nanosecondsOfDifference()
        } over: {
            try small.nanosecondsOfDifference()
        }
    }

    /// Some third of what was measured, so that they are met on a busy machine too.
    private static let goals: [DifferenceInput: Double] = [
        .same: 100, .append: 100, .prepend: 100, .rand1: 45, .dk: 10, .shuffle: 1.2, .reverse: 1.2,
    ]

    private static func overHeckel(_ input: DifferenceInput) -> Benchmark {
        Benchmark(
            "difference.\(input.rawValue)",
            "the edits between two lists of 100,000 integers (\(input.rawValue)), with a plain Heckel"
                + " difference as reference",
            goal: goals[input].map(Goal.ratioAtLeast)
        ) { bench in
            let (old, new) = input.make(bench.scale.identifiers)
            return try bench.samples(.dozens) {
                try nanosecondsOfDifference(old, new)
            } over: {
                Stopwatch.threadNanoseconds {
                    BlackHole.consume(UInt(PlainHeckel(from: old, to: new).count))
                }
            }
        }
    }

    /// Only of inputs for which it ends soon: its time is the product of the sizes of input and result.
    private static func overStandardLibrary(_ input: DifferenceInput) -> Benchmark {
        Benchmark(
            "difference.\(input.rawValue).standard-library",
            "the same (\(input.rawValue)), with the standard library's difference(from:) as reference",
            goal: .ratioAtLeast(input == .rand1 ? 60 : input == .same ? 6 : 15)
        ) { bench in
            let (old, new) = input.make(bench.scale.identifiers)
            return try bench.samples(.few) {
                try nanosecondsOfDifference(old, new)
            } over: {
                Stopwatch.threadNanoseconds {
                    BlackHole.consume(UInt(new.difference(from: old).count))
                }
            }
        }
    }

    private static func nanosecondsOfDifference(_ old: [Int], _ new: [Int]) throws -> Double {
        try Stopwatch.threadNanoseconds {
            let update = try ValidatedChangeSet(fromIdentifiers: old, to: new)
            BlackHole.consume(UInt(update.edits.count))
        }
    }

    private static func sectioned(_ input: SectionedInput) -> Benchmark {
        Benchmark(
            "difference.sections.\(input.rawValue)",
            "the edits between 100,000 integers in 100 sections (\(input.rawValue)), with a plain Heckel"
                + " difference of the same as one section as reference",
            goal: .ratioAtLeast(input == .cross ? 15 : 35)
        ) { bench in
            let sections = bench.scale.identifiers / SectionedInput.itemsPerSection
            let (old, new) = input.make(sections: max(1, sections))
            let (oldItems, newItems) = (old.flatMap(\.items), new.flatMap(\.items))
            return try bench.samples(.dozens) {
                try Stopwatch.threadNanoseconds {
                    let update = try ValidatedChangeSet(
                        fromIdentifiers: old.map { ($0.id, $0.items) },
                        to: new.map { ($0.id, $0.items) }
                    )
                    BlackHole.consume(UInt(update.edits.count))
                }
            } over: {
                Stopwatch.threadNanoseconds {
                    BlackHole.consume(UInt(PlainHeckel(from: oldItems, to: newItems).count))
                }
            }
        }
    }
}
