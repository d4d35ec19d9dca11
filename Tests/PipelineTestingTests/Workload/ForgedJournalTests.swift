import CollectionChanges
import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import PipelineTesting

/// What the journal of a run says where its storage, or what it is told, is not what it should be.
@Suite("What the journal of a run finds", .endsHangs)
struct ForgedJournalTests {
    /// What is shown in all tests; never changed. Its items are numbers of three bytes.
    private static let shown: [ViewUpdate] = {
        let shown = ShownBoard()
        shown.board.itemCount = 70_000
        for seed: UInt64 in 0..<16 { shown.apply(seed) }
        return shown.updates
    }()

    private static func contents(_ state: Int) -> [[Int]] {
        state == 0 ? [] : ShownBoard.contents(of: shown[state - 1].newMap)
    }

    /// The journal of a run that was shown some of the updates.
    private final class Scene {
        let run: SimulatedRun
        let journal: SimulatedJournal

        /// Which seeds make journals that sync how.
        private static let kinds = (0..<20).map { seed in
            let run = Scene.run(seed)
            return SimulatedJournal(run).journal?.syncing
        }

        private static func run(_ seed: Int) -> SimulatedRun {
            var plan = RunPlan(seed: 1)
            (plan.seed, plan.strategy) = (UInt64(seed), .inOrder)
            (plan.faults, plan.clients) = ([], [])
            return SimulatedRun(plan, keepsTrace: false)
        }

        init(_ count: Int, syncing: JournalSyncing = .always) {
            run = Self.run(Self.kinds.firstIndex { $0 == syncing } ?? -1)
            journal = SimulatedJournal(run)
            for state in 0..<count { show(state + 1) }
        }

        /// Shows it the update that makes a state.
        func show(_ state: Int, _ contents: [[Int]]? = nil) {
            journal.shown(shown[state - 1], contents ?? ForgedJournalTests.contents(state))
            run.simulation.run()
        }

        /// What was noted since it was asked last.
        var noted: [String] {
            defer { run.violations = [] }
            #expect(run.violations.allSatisfy { $0.guarantee == "Durable As Promised" })
            return run.violations.map(\.message)
        }

        /// Disturbs it in the way of that number.
        func disturb(_ way: Int, after seed: UInt64 = 0) {
            let seed = (seed...).first { seed in
                var random = SeededGenerator(seed: seed)
                return random.next(below: 4) == way
            }
            journal.disturb(seed ?? 0)
            run.simulation.run()
        }

        func losePower() { disturb(0) }

        func bytes() throws -> [UInt8] {
            let storage = journal.storage
            return try storage.read(0..<storage.byteCount())
        }

        func put(_ bytes: [UInt8]) throws { try journal.storage.replaceAll(with: bytes) }

        /// Puts in place of the journal one of which a record is another.
        func forge(
            _ change: (inout JournalEntry) -> Void = { _ in },
            base changeBase: (inout JournalBase) -> Void = { _ in }
        ) throws {
            let storage = MemoryJournalStorage()
            var forged: UpdateJournal?
            try #require(journal.journal).replay { record in
                switch record {
                case .base(var base):
                    changeBase(&base)
                    forged = try UpdateJournal(creatingIn: storage, base: base)
                case .update(var entry):
                    change(&entry)
                    try forged?.append(entry.update, digest: entry.digest, payload: entry.payload)
                }
            }
            try put(storage.bytes)
        }
    }

    @Test func thereIsEnoughToShow() {
        #expect(Self.shown.count > 8)
        #expect(Self.contents(6).count > 1 && Self.contents(6).joined().contains { $0 > 65_535 })
    }

    // MARK: What it is told

    /// What is in a section without edits is what it was before.
    @Test func contentsThatTheUpdateDoesNotMakeAreNoted() throws {
        var count = 0
        for state in 2...Self.shown.count {
            let changes = Self.shown[state - 1].changeSet
            var contents = Self.contents(state)
            let edited = Set(
                (changes.itemInsertions + changes.itemRemovals).map(\.path.section)
                    + changes.reconfigurations.map(\.newPath.section)
            )
            let section = contents.indices.first { section in
                !contents[section].isEmpty && !edited.contains(section)
            }
            guard let section, !changes.isReloadData, changes.sectionInsertions.isEmpty,
                changes.sectionRemovals.isEmpty
            else { continue }
            let scene = Scene(state - 1)
            contents[section][0] += 1
            scene.show(state, contents)
            #expect(
                scene.noted == ["journal: the digest that was kept is not that of the state"]
            )
            count += 1
        }
        #expect(count > 0)
    }

    // MARK: What else is done to the storage

    @Test func whatFailsWithPowerIsNoted() throws {
        let scene = Scene(2)
        try scene.journal.storage.append([1])
        scene.show(3)
        let found = scene.noted
        let text = "journal: without any fault: the storage must have the "
        #expect(found.count == 1 && found[0].hasPrefix(text), "\(found)")
        scene.journal.checkEnd()
        #expect(
            scene.noted == Array(repeating: found[0], count: 4) + [
                "journal: state 3 is not synced",
                "journal: state 3 was synced, and 2 is the last",
            ]
        )
    }

    /// What is promised is what was synced: all, each third, or nothing.
    @Test(arguments: [(JournalSyncing.always, 5), (.every(3), 3), (.never, 0)])
    func whatWasPromisedAndIsGoneIsNoted(_ syncing: JournalSyncing, _ promised: Int) throws {
        for kept in 0...5 {
            let scene = Scene(5, syncing: syncing)
            try scene.put(Scene(kept, syncing: syncing).bytes())
            scene.losePower()
            let text = "journal: state \(promised) was promised, and \(kept) is the last"
            #expect(scene.noted == (kept < promised ? [text] : []))
            #expect(scene.journal.journal?.lastSequence == 5)
            #expect(scene.run.marks["journal lost power"] == 1)
            #expect(scene.run.marks["journal whole"] == 1)
            scene.journal.checkEnd()
            #expect(scene.noted == [])
        }
    }

    @Test func statesThatWereNeverShownAreNoted() throws {
        let scene = Scene(4)
        try scene.put(Scene(6).bytes())
        scene.losePower()
        let found = scene.noted
        #expect(
            found == [
                "journal: state 5 was never shown", "journal: state 6 was never shown",
            ]
        )
        scene.journal.checkEnd()
        #expect(
            scene.noted == ["journal: state 4 is not synced"] + found + [
                "journal: state 4 was synced, and 6 is the last"
            ]
        )
    }

    @Test func aJournalThatCannotBeOpenedIsNoted() throws {
        let scene = Scene(3)
        try scene.put([])
        scene.losePower()
        let text =
            "journal: it could not be opened again: the storage has no bytes, so there is no"
            + " journal in it yet"
        #expect(scene.noted == [text])
        #expect(scene.journal.journal == nil)
        scene.show(4)
        #expect(scene.noted == [])
        scene.journal.checkEnd()
        #expect(scene.noted == ["journal: state 4 is not synced", text])
    }

    // MARK: What is in it

    private static func text(_ state: Int, _ contents: [[Int]]? = nil) -> String {
        let expected = Self.contents(state)
        return "journal: state \(state) is \(contents ?? expected), and was \(expected)"
    }

    @Test func aRecordThatIsAsItWasIsRight() throws {
        let scene = Scene(6)
        try scene.forge()
        scene.losePower()
        #expect(scene.noted == [])
    }

    @Test(arguments: [nil, StateDigest(low: 1, high: 2)])
    func anotherDigestIsNoted(_ digest: StateDigest?) throws {
        for state in 0...5 {
            let scene = Scene(5)
            try scene.forge {
                if $0.sequence == state { $0.digest = digest }
            } base: {
                if state == 0 { $0.digest = digest }
            }
            scene.losePower()
            #expect(scene.noted == [Self.text(state)])
        }
    }

    /// The last update has all its new items in its payload, in their order, and no others.
    @Test func otherItemsAreNoted() throws {
        var count = 0
        for state in 1...Self.shown.count where count < 3 {
            let (old, new) = (Set(Self.contents(state - 1).joined()), Self.contents(state))
            let fresh = new.joined().filter { !old.contains($0) }
            let scene = Scene(state)
            var size = 0
            try scene.forge { if $0.sequence == state { size = $0.payload.count } }
            // Others are reloaded beside them.
            guard !fresh.isEmpty, size == 4 * fresh.count else { continue }
            let (last, whole) = (fresh[fresh.count - 1], try scene.bytes())
            func check(_ payload: (inout [UInt8]) -> Void, _ found: (Int) -> Int) throws {
                try scene.forge { if $0.sequence == state { payload(&$0.payload) } }
                scene.losePower()
                #expect(scene.noted == [Self.text(state, new.map { $0.map(found) })])
                try scene.put(whole)
                scene.losePower()
                #expect(scene.noted == [])
            }
            try check({ $0 = [] }, { fresh.contains($0) ? -2 : $0 })
            for missing in [1, 4] {
                try check({ $0.removeLast(missing) }, { $0 == last ? -2 : $0 })
            }
            for byte in 0..<4 {
                try check(
                    { $0[size - 4 + byte] ^= 1 },
                    { $0 == last ? $0 ^ (1 << (8 * byte)) : $0 }
                )
            }
            count += 1
        }
        #expect(count == 3)
    }

    // MARK: Compacting

    /// Any state may take the place of what led to it, once and again, and nothing is lost by that.
    @Test(arguments: [JournalSyncing.always, .every(3), .never])
    func aCompactedJournalHasAllThatFollows(_ syncing: JournalSyncing) throws {
        var bases: Set<UInt64> = []
        for seed: UInt64 in 0..<16 {
            let scene = Scene(4, syncing: syncing)
            scene.disturb(3, after: seed * 7)
            let first = try #require(scene.journal.journal?.baseSequence)
            #expect(scene.journal.journal?.lastSequence == 4)
            #expect(scene.journal.journal?.syncedSequence == 4)
            scene.losePower()
            #expect(scene.journal.journal?.baseSequence == first)
            scene.disturb(3, after: seed * 7 + 300)
            let second = try #require(scene.journal.journal?.baseSequence)
            #expect((first...4).contains(second))
            #expect(scene.run.marks["journal compacted"] == 2)
            scene.losePower()
            scene.show(5)
            scene.journal.checkEnd()
            #expect(scene.noted == [])
            #expect(scene.journal.journal?.lastSequence == 5)
            bases.insert(first)
        }
        #expect(bases == Set(0...4))
    }
}
