import CollectionPipeline
import Dispatch
import Foundation

// Costs of change sets on the main lane, one by one and from many threads.

extension Benchmark {
    static let changeSets: [Benchmark] = [
        Benchmark(
            "change-set.growth",
            "5 deletes and 5 inserts at random places, main-lane time: in 1,000,000 items over in 1,000",
            goal: .ratioAtMost(4)
        ) { bench in
            let large = try bench.million()
            let small = try LoadedCollection(.thousand)
            // Repeated runs keep each collection in the processor's caches, as far as it fits.
            func run(_ collection: LoadedCollection) throws -> Double {
                Samples(try (0..<25).map { _ in try collection.nanosecondsOfTenEdits() }).median
            }
            return try bench.samples(.dozens) {
                try run(large)
            } over: {
                try run(small)
            }
        },
        Benchmark(
            "change-set.copying-map",
            "the same in 1,000,000 items, with the work of a copying map as reference",
            goal: .ratioAtLeast(1_000)
        ) { bench in
            let collection = try bench.million()
            let value = try bench.samples(.hundreds) { try collection.nanosecondsOfTenEdits() }
            let copying = CopyingMap(of: collection.map)
            return Measurement(value, over: bench.samples(.few) { copying.nanosecondsOfTenEdits() })
        },
        Benchmark(
            "change-set.allocations",
            "allocations on the main lane for 5 deletes and 5 inserts in 1,000,000 items",
            in: .allocations,
            goal: .valueAtMost(110)
        ) { bench in
            guard Heap.allocationCount != nil else { return nil }
            let collection = try bench.million()
            return Measurement(
                try bench.samples(.hundreds) { Double(try collection.deployTenEdits().allocations) }
            )
        },
        Benchmark(
            "change-set.asks",
            "calls of the data source for 5 deletes and 5 inserts in 10 sections: counts, and models by"
                + " ranges",
            in: .asks,
            goal: .valueAtMost(24)
        ) { bench in
            let collection = try LoadedCollection(.thousand)
            return Measurement(
                try bench.samples(.dozens) {
                    _ = try collection.deployTenEdits()
                    return Double(collection.asks)
                }
            )
        },
    ]

    static let loading: [Benchmark] = [
        Benchmark(
            "initial-load",
            "1,000,000 items loaded into an empty controller, main-lane time per item"
        ) { bench in
            Measurement(
                try bench.samples(.few) {
                    try bench.clear()
                    let loading = try bench.million().loading
                    return Double(loading.nanoseconds) / Double(Outline.million.numberOfItems)
                }
            )
        }
    ]

    static let contention: [Benchmark] = [
        Benchmark(
            "longest-block",
            "the longest block on the main lane while 8 threads submit 10,000 change sets of 10 edits"
                + " against 1,000,000 items (a third with --quick): over the mean block"
        ) { bench in
            let collection = try bench.million()
            collection.lane.takeTimes()
            try submit(
                changeSets: bench.scale.count(.thousand),
                fromEachOf: 8,
                to: collection.controller
            )
            let times = collection.lane.takeTimes()
            return Measurement(
                exactly: Double(times.longestNanoseconds),
                over: Double(times.nanoseconds) / Double(times.blocks)
            )
        }
    ]

    /// Submits change sets of ten edits as fast as possible, and returns when all are deployed.
    private static func submit(
        changeSets: Int,
        fromEachOf threads: Int,
        to controller: DataController<CountsSource>
    ) throws {
        let ended = DispatchGroup()
        let deployed = Tally()
        for _ in 0..<threads {
            ended.enter()
            Thread.detachNewThread {
                // The change sets in progress per thread: together more than a backlog holds.
                let room = DispatchSemaphore(value: 32)
                for _ in 0..<changeSets {
                    room.wait()
                    ended.enter()
                    controller.enqueueBatchUpdates { source, changes in
                        source.applyTenEdits(&changes)
                    } completion: { result in
                        if case .deployed = result.outcome { deployed.add(1) }
                        room.signal()
                        ended.leave()
                    }
                }
                ended.leave()
            }
        }
        ended.wait()
        guard deployed.count == threads * changeSets else {
            throw Failure("\(deployed.count) of \(threads * changeSets) change sets deployed")
        }
    }
}

/// An element map that copies everything for every change set.
///
/// Source: Texture's element map, its mutable copy, and the table from element to path in every
/// immutable copy.
private final class CopyingMap {
    private var sections: [[CollectionElement]]
    private var paths: [ObjectIdentifier: ItemPath] = [:]
    private var random = SplitMix64()
    private let inserted = MapFactory.makeElements(5)

    init(of map: ElementMap) {
        sections = Array(repeating: [], count: map.numberOfSections)
        for item in map.items { sections[item.path.section].append(item.element) }
        makeImmutable()
    }

    /// Returns the time of the map for five deletes and five inserts at random places: a mutable
    /// copy, an array edit for each path, and an immutable copy.
    func nanosecondsOfTenEdits() -> Double {
        let plan = EditPlan.ofTen(in: sections.map(\.count), using: &random)
        let deletions = plan.deletions.sorted(by: >)
        let insertions = plan.insertions.sorted()
        let old = (sections, paths)
        let time = Stopwatch.threadNanoseconds {
            sections = sections.map(copy)
            for path in deletions { sections[path.section].remove(at: path.item) }
            for (path, element) in zip(insertions, inserted) {
                sections[path.section].insert(element, at: path.item)
            }
            makeImmutable()
        }
        // The previous map is freed only now.
        BlackHole.consume(old.0.count + old.1.count)
        return time
    }

    /// Copies every array and makes a new table.
    private func makeImmutable() {
        sections = sections.map(copy)
        paths = [:]
        paths.reserveCapacity(sections.reduce(0) { $0 + $1.count })
        for (section, elements) in sections.enumerated() {
            for (item, element) in elements.enumerated() {
                paths[ObjectIdentifier(element)] = ItemPath(section: section, item: item)
            }
        }
    }

    /// Copies an array; an assignment would only share it.
    private func copy(_ elements: [CollectionElement]) -> [CollectionElement] {
        var copy: [CollectionElement] = []
        copy.reserveCapacity(elements.count)
        copy.append(contentsOf: elements)
        return copy
    }
}
