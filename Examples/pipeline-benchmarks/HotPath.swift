import BenchmarkInstruments
import CollectionLayouts
import CollectionPipeline

/// Work that is always the same, from fixed seeds and on the calling thread, so that its instructions can be
/// counted: they tell of some hundredths, where times tell of tenths.
struct HotPath: Sendable {
    let name: String
    /// Prepares it, and returns what is counted; that may be called more than once.
    let prepare: @Sendable () throws -> () throws -> Void

    /// Prepares and does it, between marks that a tool for counting instructions knows.
    func run() throws {
        let work = try prepare()
        // What the process does once, such as looking up conformances, is no cost of this.
        try work()
        var call = Call(work: work)
        withUnsafeMutablePointer(to: &call) { call in
            instruments_counted({ $0?.assumingMemoryBound(to: Call.self).pointee.run() }, call)
        }
        if let error = call.error { throw error }
    }

    /// C takes no closure with a context.
    private struct Call {
        let work: () throws -> Void
        var error: (any Error)?

        mutating func run() {
            do { try work() } catch { self.error = error }
        }
    }

    // MARK: What there is

    private static let outline = LoadedCollection.Outline(10, 1_000)
    private static let repetitions = 100

    static let all: [HotPath] = [
        HotPath(name: "element-at-path") {
            let look = LookUps(try MapFactory.makeMap(outline), count: 1_000)
            return { look.findElements() }
        },
        HotPath(name: "path-of-element") {
            let look = LookUps(try MapFactory.makeMap(outline), count: 1_000)
            return { look.findPaths() }
        },
        HotPath(name: "iterate") {
            let map = try MapFactory.makeMap(outline)
            return { for item in map.items { BlackHole.consume(item.element) } }
        },
        HotPath(name: "map.insert") {
            let map = try MapFactory.makeMap(outline)
            var random = SplitMix64()
            let inserts = try (0..<repetitions).map { _ in
                let plan = EditPlan.random(
                    in: outline.counts,
                    deletions: 0,
                    insertions: 1,
                    using: &random
                )
                return try MapFactory.insertion(at: plan.newPaths[0], into: map)
            }
            return { for insert in inserts { BlackHole.consume(UInt(insert().numberOfElements)) } }
        },
        HotPath(name: "validate") {
            let work = Validation(edits: 1_000, outline, seed: 1)
            return { try work.validate() }
        },
        HotPath(name: "layout.one-height") {
            let rows = LaidOutRows(count: outline.numberOfItems)
            return { for _ in 0..<repetitions { _ = rows.changeHeight() } }
        },
        HotPath(name: "layout.ten-rows") {
            let rows = LaidOutRows(count: outline.numberOfItems)
            return { for _ in 0..<repetitions { _ = try rows.insertTen() } }
        },
        HotPath(name: "layout.visible") {
            let rows = LaidOutRows(count: outline.numberOfItems)
            return { for _ in 0..<repetitions { _ = rows.lookAnywhere() } }
        },
        HotPath(name: "layout.flow.prepare") {
            let host = RowsHost(rowCount: outline.numberOfItems)
            return {
                let layout = FlowLayout()
                layout.attach(to: host)
                layout.prepare()
                BlackHole.consume(UInt(layout.collectionViewContentSize.height))
            }
        },
        HotPath(name: "view.scroll") {
            // Once to the end for warming up, and once for counting.
            var lists = try (0..<2).map { _ in try ScrolledList(rowCount: 2_000) }
            return {
                guard let list = lists.popLast() else { throw Failure("nothing is left to scroll") }
                while list.step() != nil {}
                guard list.isAtEnd else { throw Failure("the view is not at the end of its rows") }
            }
        },
    ]
}
