import BenchmarkInstruments
import CollectionLayouts
import CollectionPipeline

/// Work on the calling thread that is always the same, so that its instructions can be counted.
/// Their number shows a change of a few per cent; a time shows only changes of tens of per cent.
struct HotPath: Sendable {
    let name: String
    /// Prepares the work, and returns it; the work is done twice.
    private let prepare: @Sendable () throws -> Work

    private struct Work {
        let run: () throws -> Void
        /// Returns the allocations of each step so far; empty for work without steps.
        let allocations: () -> [Int]
    }

    private init(_ name: String, prepare: @escaping @Sendable () throws -> () throws -> Void) {
        self.name = name
        self.prepare = { Work(run: try prepare(), allocations: { [] }) }
    }

    /// Creates a path of change sets, one after the other.
    private init(
        _ name: String,
        _ outline: Outline,
        _ kind: SteppedList.Kind,
        deletions: Int,
        insertions: Int
    ) {
        self.name = name
        prepare = {
            let list = try SteppedList(outline, kind)
            return Work {
                for _ in 0..<Self.repetitions {
                    try list.deploy(deletions: deletions, insertions: insertions)
                }
            } allocations: {
                list.allocations
            }
        }
    }

    /// Prepares and does the work. A tool for counting instructions finds it by the name of a C
    /// function.
    ///
    /// - Returns: The allocations of each step of a change set; empty for other work.
    func run() throws -> [Int] {
        let work = try prepare()
        // One-time work of the process, such as looking up conformances, must not be counted.
        try work.run()
        let before = work.allocations()
        var call = Call(work: work.run)
        withUnsafeMutablePointer(to: &call) { call in
            instruments_counted({ $0?.assumingMemoryBound(to: Call.self).pointee.run() }, call)
        }
        if let error = call.error { throw error }
        return zip(work.allocations(), before).map { ($0 - $1) / Self.repetitions }
    }

    /// The context for the C function, which accepts no Swift closure.
    private struct Call {
        let work: () throws -> Void
        var error: (any Error)?

        mutating func run() {
            do { try work() } catch { self.error = error }
        }
    }

    private static let outline = Outline(sections: 10, itemsPerSection: 1_000)
    private static let repetitions = 100

    static let all: [HotPath] = [
        HotPath("element-at-path") {
            let look = LookUps(try MapFactory.makeMap(outline), count: 1_000)
            return { look.findElements() }
        },
        HotPath("path-of-element") {
            let look = LookUps(try MapFactory.makeMap(outline), count: 1_000)
            return { look.findPaths() }
        },
        HotPath("iterate") {
            let map = try MapFactory.makeMap(outline)
            return { for item in map.items { BlackHole.consume(item.element) } }
        },
        HotPath("map.insert") {
            let map = try MapFactory.makeMap(outline)
            var random = SplitMix64()
            let inserts = try (0..<repetitions).map { _ in
                try MapFactory.insertion(into: map, using: &random)
            }
            return { for insert in inserts { BlackHole.consume(insert().numberOfElements) } }
        },
        HotPath("validate") {
            let record = Record(edits: 1_000, outline, seed: 1)
            return { try record.validate() }
        },
        HotPath("layout.one-height") {
            let rows = LaidOutRows(count: outline.numberOfItems)
            return { for _ in 0..<repetitions { _ = rows.changeHeight() } }
        },
        HotPath("layout.ten-rows") {
            let rows = LaidOutRows(count: outline.numberOfItems)
            return { for _ in 0..<repetitions { _ = try rows.insertTen() } }
        },
        HotPath("layout.visible") {
            let rows = LaidOutRows(count: outline.numberOfItems)
            return { for _ in 0..<repetitions { _ = rows.lookAnywhere() } }
        },
        HotPath("layout.flow.prepare") {
            let host = RowsHost(rowCount: outline.numberOfItems)
            return {
                let layout = FlowLayout()
                layout.attach(to: host)
                layout.prepare()
                BlackHole.consume(Int(layout.collectionViewContentSize.height))
            }
        },
        HotPath("view.scroll") {
            // Once to the end to warm up, and once to count.
            var lists = try (0..<2).map { _ in try ScrolledList(rowCount: 2_000) }
            return {
                guard let list = lists.popLast() else { throw Failure("nothing is left to scroll") }
                _ = try list.scrollToEnd()
            }
        },
        HotPath("set.empty", .thousand, .immediate, deletions: 0, insertions: 0),
        HotPath("set.one-insert", .million, .immediate, deletions: 0, insertions: 1),
        HotPath("set.hub", outline, .hub, deletions: 1, insertions: 2),
        HotPath("set.list", outline, .list, deletions: 6, insertions: 7),
    ]
}
