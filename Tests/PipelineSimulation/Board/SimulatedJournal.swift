import CollectionElements
import CollectionPipeline
import PipelineTesting

/// A journal of the shown states of a run's board, on a machine that sometimes loses power. It
/// checks that promised states survive (Durable As Promised), and that the journal contains only
/// shown states.
///
/// After each loss of power the journal is opened again, compared with the shown states, and
/// brought up to date.
final class SimulatedJournal: @unchecked Sendable {  // one thread
    private static let guarantee = "Durable As Promised"

    /// A shown state.
    private struct Noted {
        /// The update that led to it; `nil` for the first.
        let update: ValidatedChangeSet?
        let contents: [[Int]]
        let digest: StateDigest
    }

    private unowned let run: SimulatedRun
    /// Journals block, so they have their own lane.
    private let lane: any Lane
    let storage: VolatileStorage
    private let syncing: JournalSyncPolicy
    private(set) var journal: UpdateJournal?
    /// The map that was shown last.
    private var lastMap = ElementMap.empty(generation: 0)
    /// The shown states by number, including the first.
    private var noted: [Noted]
    /// The last state that the journal has promised to keep.
    private var promised: UInt64 = 0

    init(_ run: SimulatedRun) {
        self.run = run
        lane = run.simulation.makeLane(label: "journal")
        var random = SeededGenerator(seed: run.plan.seed ^ 0x6A6F_7572_6E61_6C)
        syncing = [.always, .every(2 + random.next(below: 12)), .never][random.next(below: 3)]
        // Without syncs, a gap cannot be distinguished from damage.
        storage = VolatileStorage(random, leavesGaps: syncing != .never)
        let empty = JournaledContents([])
        noted = [Noted(update: nil, contents: [], digest: StateDigest(of: empty))]
        do {
            journal = try UpdateJournal(
                creatingIn: storage,
                base: JournalBase(digest: noted[0].digest),
                syncing: syncing
            )
        } catch {
            note("the journal could not be created: \(error)")
        }
    }

    private func note(_ message: String) { run.note(Self.guarantee, "journal: \(message)") }

    // MARK: Actions

    /// Records a shown update. Main lane.
    func shown(_ shown: ViewUpdate, _ contents: [[Int]]) {
        // Dropped updates may lie between the two maps.
        let isNext = shown.oldMap.generation == lastMap.generation
        let update = isNext ? shown.changeSet : shown.newMap.changes(from: lastMap)
        lastMap = shown.newMap
        lane.enqueue { [self] in
            let (old, new) = (noted[noted.count - 1], JournaledContents(contents))
            let digest = try? old.digest.updated(
                by: update,
                from: JournaledContents(old.contents),
                to: new
            )
            let expected = StateDigest(of: new)
            if digest != expected { note("the digest that was kept is not that of the state") }
            noted.append(Noted(update: update, contents: contents, digest: expected))
            write()
        }
    }

    /// Disturbs the journal: the power is lost now or soon, or the journal is synced or compacted.
    func disturb(_ seed: UInt64) {
        lane.enqueue { [self] in
            var random = SeededGenerator(seed: seed)
            switch random.next(below: 4) {
            case 0: storage.losePower()
            case 1: storage.callsLeft = random.next(below: 8)
            case 2: attempt { journal throws(JournalError) in try journal.sync() }
            default: compact(&random)
            }
            write()
        }
    }

    private func compact(_ random: inout SeededGenerator) {
        attempt { journal throws(JournalError) in
            let choices = Int(journal.lastSequence - journal.baseSequence) + 1
            let number = Int(journal.baseSequence) + random.next(below: choices)
            run.mark("journal compacted")
            let state = noted[number]
            try journal.compact(
                upTo: JournalBase(
                    sequence: UInt64(number),
                    shape: HierarchyShape(state.contents.map(\.count)),
                    digest: state.digest,
                    payload: Self.bytes(state.contents.joined())
                )
            )
        }
    }

    /// Appends the states that the journal lacks.
    private func write() {
        if storage.isDown { restart() }
        while let journal, journal.lastSequence < noted.count - 1 {
            let state = noted[Int(journal.lastSequence) + 1]
            guard let update = state.update else { return note("the first state is missing") }
            let canContinue = attempt { journal throws(JournalError) in
                try journal.append(
                    update,
                    digest: state.digest,
                    payload: Self.bytes(Self.newItems(of: update, in: state.contents))
                )
            }
            guard canContinue else { return }
        }
    }

    /// Performs an operation on the journal; if the power is lost meanwhile, the journal is opened
    /// again.
    ///
    /// - Returns: Whether the journal can continue.
    @discardableResult
    private func attempt<Result>(
        _ body: (UpdateJournal) throws(JournalError) -> Result
    ) -> Bool {
        guard let journal else { return false }
        do throws(JournalError) {
            _ = try body(journal)
        } catch {
            guard storage.isDown else {
                note("without any fault: \(error)")
                return false
            }
        }
        promised = max(promised, journal.syncedSequence)
        if storage.isDown { restart() }
        return true
    }

    /// Restarts the machine and opens the journal; the power may be lost again meanwhile.
    private func restart() {
        run.mark("journal lost power")
        journal = nil
        var random = SeededGenerator(seed: promised ^ UInt64(noted.count))
        for attempts in 0... {
            storage.restart()
            if attempts < 3, random.isTrue(oneIn: 3) { storage.callsLeft = random.next(below: 5) }
            do {
                let journal = try UpdateJournal(opening: storage, syncing: syncing)
                try check(journal)
                promised = max(promised, journal.syncedSequence)
                self.journal = journal
                run.mark("journal \(journal.recovery.condition)")
            } catch {
                if storage.isDown { continue }
                note("it could not be opened again: \(error)")
            }
            return
        }
    }

    // MARK: Checks

    /// Checks that promised states exist and that every state in the journal was shown.
    private func check(_ journal: UpdateJournal) throws {
        if journal.lastSequence < promised {
            note("state \(promised) was promised, and \(journal.lastSequence) is the last")
        }
        var contents: [[Int]] = []
        try journal.replay { record in
            let (number, digest): (UInt64, StateDigest?)
            switch record {
            case .base(let base):
                (number, digest) = (base.sequence, base.digest)
                var items = Self.items(base.payload)[...]
                contents = base.shape.itemCounts.map { count in
                    defer { items = items.dropFirst(count) }
                    return Array(items.prefix(count))
                }
            case .update(let entry):
                (number, digest) = (entry.sequence, entry.digest)
                let paths = Self.newItemPaths(of: entry.update)
                let inserted = Dictionary(
                    zip(paths, Self.items(entry.payload)),
                    uniquingKeysWith: { first, _ in first }
                )
                try entry.update.apply(to: &contents) { inserted[$0] ?? -2 }
            }
            guard Int(number) < noted.count else {
                return note("state \(number) was never shown")
            }
            let state = noted[Int(number)]
            if contents != state.contents || digest != state.digest {
                note("state \(number) is \(contents), and was \(state.contents)")
            }
        }
    }

    /// Writes everything and loses the power, before and after a sync, and checks the results.
    func checkEnd() {
        write()
        storage.losePower()
        write()
        attempt { journal throws(JournalError) in try journal.sync() }
        write()
        attempt { journal throws(JournalError) in try journal.sync() }
        if promised != noted.count - 1 { note("state \(noted.count - 1) is not synced") }
        restart()
        if let journal, journal.lastSequence != noted.count - 1 {
            note("state \(noted.count - 1) was synced, and \(journal.lastSequence) is the last")
        }
    }

    // MARK: Bytes

    /// Returns the paths of an update's new items in the order in which their models are written.
    private static func newItemPaths(of update: ValidatedChangeSet) -> [ItemPath] {
        var paths: [ItemPath] = []
        let counts = update.newShape.itemCounts
        var empty = update.oldShape.itemCounts.map { Array(repeating: 0, count: $0) }
        paths.reserveCapacity(counts.count)
        try? update.apply(to: &empty) { path in
            paths.append(path)
            return 0
        }
        return paths
    }

    private static func newItems(of update: ValidatedChangeSet, in contents: [[Int]]) -> [Int] {
        newItemPaths(of: update).map { contents[$0.section][$0.item] }
    }

    private static func bytes(_ items: some Sequence<Int>) -> [UInt8] {
        items.flatMap { item in (0..<4).map { UInt8(truncatingIfNeeded: item >> (8 * $0)) } }
    }

    private static func items(_ bytes: [UInt8]) -> [Int] {
        stride(from: 0, to: bytes.count - 3, by: 4).map { start in
            let value = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << (8 * $1) }
            return Int(Int32(bitPattern: value))
        }
    }
}

/// The content that a journal's digests cover; sections are not distinguished.
private struct JournaledContents: DigestedState {
    private let contents: [[Int]]

    init(_ contents: [[Int]]) { self.contents = contents }

    var numberOfSections: Int { contents.count }
    func numberOfItems(inSection section: Int) -> Int { contents[section].count }
    func digest(ofSection section: Int) -> ElementDigest { ElementDigest(section: 0) }

    func forEachItemDigest(
        in range: Range<Int>,
        ofSection section: Int,
        _ body: (ElementDigest) -> Void
    ) {
        for item in contents[section][range] { body(ElementDigest(item: item)) }
    }
}
