import CollectionPublishing

// Costs of a hub with many readers, and with readers that are away.

extension Benchmark {
    static let publishing: [Benchmark] = [
        Benchmark(
            "publish.paused",
            "an update of 100,000 rows passed to 9,000 readers while 1,000 others are paused: over passing it"
                + " to 9,000 alone",
            goal: .ratioAtMost(1.05)
        ) { bench in
            let missed = try MissedChanges()
            var (rows, alone) = (try PublishedRows(missed), try PublishedRows(missed))
            rows.pause(1_000)
            rows.listen(9_000)
            alone.listen(9_000)
            return bench.samples(.hundreds) {
                Stopwatch.threadNanoseconds { rows.publishToListeners() }
            } over: {
                Stopwatch.threadNanoseconds { alone.publishToListeners() }
            }
        },
        Benchmark(
            "publish.paused.memory",
            "bytes for each of 10,000 readers that were paused for 600,000 updates, with the data kept for them: over"
                + " one reader alone",
            in: .bytes,
            goal: .valueAtMost(256)
        ) { _ in
            // A thread that ends meanwhile frees its caches, which so many readers make
            // insignificant.
            let count = 10_000
            guard let reader = bytesOfPausedReader(among: count) else { return nil }
            var rows = try PublishedRows(MissedChanges())
            // The history for readers that return is full from here on, so that it does not count
            // as growth.
            rows.publishMissed(missedCount / 100)
            guard let mark = Heap.Mark() else { return nil }
            rows.pause(count)
            rows.publishPassing(missedCount * 3 / 5)
            let growth = mark.growth
            BlackHole.consume(rows.pausedCount)
            return Measurement(exactly: reader + growth / Double(count), over: reader)
        },
        Benchmark(
            "publish.resume",
            "the update that a paused reader receives when it resumes after 1,000,000 updates with 100 net"
                + " changes: over the same after the 100 changes alone",
            goal: .ratioAtMost(10)
        ) { bench in
            let missed = try MissedChanges()
            func rows(missing count: Int) throws -> PublishedRows {
                var rows = try PublishedRows(missed)
                rows.pause(bench.scale.count(.dozens) + 1)
                rows.publishMissed(count)
                return rows
            }
            var (all, alone) = (try rows(missing: missedCount), try rows(missing: 0))
            // The version differs each time, because the hub caches its result.
            return bench.samples(.dozens) {
                all.publishPassing(1)
                return Stopwatch.threadNanoseconds { all.resumeOne() }
            } over: {
                alone.publishPassing(1)
                return Stopwatch.threadNanoseconds { alone.resumeOne() }
            }
        },
        Benchmark(
            "publish.resume.bytes",
            "bytes of the edits in that update: over those of the 100 net changes alone",
            in: .bytes,
            goal: .ratioAtMost(1.2)
        ) { _ in
            let missed = try MissedChanges()
            func bytes(_ count: Int) throws -> Double {
                var rows = try PublishedRows(missed)
                rows.pause(1)
                rows.publishMissed(count)
                rows.resumeOne()
                return Double(rows.encodedByteCount)
            }
            return Measurement(exactly: try bytes(missedCount / 10), over: try bytes(0))
        },
        Benchmark(
            "publish.windows",
            "an update of rows outside all 10,000 windows over 1,000,000 rows, for each window: over the same"
                + " with as many readers that see all rows",
            goal: .ratioAtMost(0.1)
        ) { bench in
            let count = 10_000
            var windows = try WindowedRows(readers: count, seeAll: false)
            var whole = try WindowedRows(readers: count, seeAll: true)
            let received = windows.received.count
            let measurement = try bench.samples(.hundreds) {
                try Stopwatch.threadNanoseconds { try windows.publishOutside() } / Double(count)
            } over: {
                try Stopwatch.threadNanoseconds { try whole.publishOutside() } / Double(count)
            }
            guard windows.received.count == received else {
                throw Failure("a window saw an update outside of it")
            }
            return measurement
        },
    ]

    private static let missedCount = 1_000_000

    /// Returns the memory of a paused reader with its handle and its callback, or `nil` if it is
    /// unknown.
    private static func bytesOfPausedReader(among count: Int) -> Double? {
        let hub = UpdateHub()
        func makeReaders() -> [HubReader] {
            let readers = (0..<count).compactMap { number in
                try? hub.addReader { _ in
                    BlackHole.consume(number)
                    return .pause
                }
            }
            waitForReport()
            return readers
        }
        func waitForReport() {
            let done = SemaphoreSignal()
            hub.report { _ in done.signal() }
            done.wait()
        }
        // The first readers fill caches that lanes keep.
        var readers = makeReaders()
        readers = []
        waitForReport()
        guard let mark = Heap.Mark() else { return nil }
        readers = makeReaders()
        let growth = mark.growth
        BlackHole.consume(readers.count)
        // Readers leave on a lane, which must not happen while something else is measured.
        readers = []
        waitForReport()
        return growth / Double(count)
    }
}

/// Change sets of one edit each that a reader of 100,000 rows misses: a hundred have a lasting
/// effect, and the others cancel out.
private struct MissedChanges {
    let shape: HierarchyShape = [100_000]
    /// The change sets with a lasting effect.
    let lasting: [ValidatedChangeSet]
    /// Change sets that together have no effect, so they can be repeated any number of times.
    let passing: [ValidatedChangeSet]

    init() throws {
        var random = SplitMix64()
        var count = shape.itemCounts[0]
        func update(inserting isInsertion: Bool, at item: Int) throws -> ValidatedChangeSet {
            let paths = [ItemPath(section: 0, item: item)]
            let operation: HierarchyChangeSet.Operation =
                isInsertion ? .insertItems(paths, .automatic) : .deleteItems(paths, .automatic)
            let old = count
            count += isInsertion ? 1 : -1
            return try HierarchyChangeSet([operation]).validated(from: [old], to: [count])
        }
        lasting = try (0..<100).map { number in
            let item = Int.random(in: 0..<count, using: &random)
            return try update(inserting: number.isMultiple(of: 2), at: item)
        }
        // The current places of the items that will be deleted again, oldest first.
        var present: [Int] = []
        var passing: [ValidatedChangeSet] = []
        func delete() throws {
            let item = present.removeFirst()
            passing.append(try update(inserting: false, at: item))
            for index in present.indices where present[index] > item { present[index] -= 1 }
        }
        for _ in 0..<1_000 {
            let item = Int.random(in: 0...count, using: &random)
            passing.append(try update(inserting: true, at: item))
            for index in present.indices where present[index] >= item { present[index] += 1 }
            present.append(item)
            if present.count > 12 { try delete() }
        }
        while !present.isEmpty { try delete() }
        self.passing = passing
    }
}

/// A hub's ledger over rows of one section, with readers that listen and readers that are paused.
private struct PublishedRows {
    private let missed: MissedChanges
    private var ledger = HubLedger(HubConfiguration())
    private var paused: [ReaderProgress] = []
    private var listening: [ReaderProgress] = []
    private var version = 0
    /// The index of the next passing update.
    private var next = 0
    /// The last update that a resumed reader received.
    private var last: ValidatedChangeSet?

    /// The payload of every row: about eighty bytes, like a short row of HTML.
    private static let payload = PublishedPayload(utf8: String(repeating: "<b>row</b>", count: 8))

    init(_ missed: MissedChanges) throws {
        self.missed = missed
        publish(try HierarchyChangeSet([.reloadData()]).validated(from: [], to: missed.shape))
    }

    var pausedCount: Int { paused.count }

    /// The size of the last update that a resumed reader received, without payloads.
    var encodedByteCount: Int { last?.encodedWithoutShape().count ?? 0 }

    private mutating func publish(_ update: ValidatedChangeSet) {
        version += 1
        ledger.publish(RenderedUpdate(update, to: version, item: { _ in Self.payload }))
        ledger.announce()
    }

    /// Publishes this number of passing updates, repeating them.
    mutating func publishPassing(_ count: Int) {
        for _ in 0..<count {
            publish(missed.passing[next])
            next = (next + 1) % missed.passing.count
        }
    }

    /// Publishes the lasting updates, and then complete rounds of the passing ones, up to `count`
    /// updates in all.
    mutating func publishMissed(_ count: Int) {
        for update in missed.lasting { publish(update) }
        let round = missed.passing.count
        publishPassing(max(0, count - missed.lasting.count) / round * round)
    }

    /// Publishes an update, and passes it to the readers that listen.
    mutating func publishToListeners() {
        publishPassing(1)
        for index in listening.indices {
            if ledger.next(for: &listening[index]) != nil { BlackHole.consume(1) }
        }
    }

    /// Adds readers that receive everything so far, and then pause.
    mutating func pause(_ count: Int) { paused = join(count) }

    /// Adds readers that receive everything.
    mutating func listen(_ count: Int) { listening = join(count) }

    private mutating func join(_ count: Int) -> [ReaderProgress] {
        (0..<count).map { _ in
            var reader = ReaderProgress()
            if ledger.next(for: &reader) != nil { BlackHole.consume(1) }
            return reader
        }
    }

    /// Resumes the reader that paused last.
    mutating func resumeOne() {
        guard var reader = paused.popLast(), case .update(let update)? = ledger.next(for: &reader)
        else { return }
        last = update.changeSet
        BlackHole.consume(update.changeSet.edits.count)
    }
}

/// A hub of a million rows in one section. Its readers see windows that are spread over it, with
/// rows between them that no reader sees, or they all see all rows.
private struct WindowedRows {
    /// The number of messages so far.
    let received = Tally()
    private let hub = UpdateHub(environment: CallingEnvironment())
    private var readers: [HubReader] = []
    private let count = 1_000_000
    private var version = 1
    private var hasInserted = false

    private static let payload = PublishedPayload(utf8: "<b>row</b>")

    init(readers readerCount: Int, seeAll: Bool) throws {
        publish(try HierarchyChangeSet([.reloadData()]).validated(from: [], to: [count]))
        let receive: @Sendable (HubMessage) -> ReaderDemand = { [received] _ in
            received.add(1)
            return .more
        }
        for number in 0..<readerCount {
            let row = number * (count / readerCount) + 60
            let window = PublishedWindow.around(row: row, before: 15, after: 14)
            readers.append(
                try seeAll
                    ? hub.addReader(receive: receive)
                    : hub.addReader(window: window, receive: receive)
            )
        }
    }

    private func publish(_ update: ValidatedChangeSet) {
        hub.publish(RenderedUpdate(update, to: version, item: { _ in Self.payload }))
    }

    /// Inserts rows before all windows, between them and after them, or deletes these rows again.
    mutating func publishOutside() throws {
        let paths = [10, count / 2 + 10, count - 1].map { ItemPath(section: 0, item: $0) }
        let operation: HierarchyChangeSet.Operation =
            hasInserted ? .deleteItems(paths, .automatic) : .insertItems(paths, .automatic)
        let (old, new) = hasInserted ? (count + 3, count) : (count, count + 3)
        hasInserted.toggle()
        version += 1
        publish(try HierarchyChangeSet([operation]).validated(from: [old], to: [new]))
    }
}

/// An environment whose lanes run everything immediately on the calling thread, where it can be
/// measured. Use it on one thread, for work that enqueues nothing on its own lane.
private struct CallingEnvironment: PipelineEnvironment {
    private final class CallingLane: Lane {
        let label: String
        let isCurrent = true

        init(label: String) { self.label = label }

        func enqueue(_ work: @escaping @Sendable () -> Void) { work() }
    }

    private let dispatch = DispatchEnvironment()

    func makeLane(label: String) -> any Lane { CallingLane(label: label) }

    func fork(
        parts: Int,
        joinOn lane: any Lane,
        body: @escaping @Sendable (Int) -> Void,
        join: @escaping @Sendable () -> Void
    ) {
        for part in 0..<parts { body(part) }
        join()
    }

    var workerCount: Int { 1 }
    var isCurrentWorker: Bool { false }
    var now: Duration { dispatch.now }

    func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {
        dispatch.schedule(after: delay, on: lane, work)
    }

    func makeSignal() -> any PipelineSignal { dispatch.makeSignal() }
}
