import CollectionChanges
import PipelineTestSupport
import Testing

@testable import CollectionPublishing
@testable import CollectionReplication

/// A leader's source has its own numbers, which the log replaces.
@Suite("Numbers in a log", .endsHangs)
struct RenumberingTests {
    /// A leader's chain and a follower's chain that reads the sealed bytes.
    struct Pair {
        var leader: LogChain
        var follower: LogChain
        /// All numbers that have been used so far.
        private(set) var items: Set<UInt64> = []
        private(set) var sections: Set<UInt64> = []

        init() throws {
            leader = try Samples.opened()
            follower = leader
        }

        mutating func take(_ record: PendingRecord) throws {
            let before = leader.contents.state
            let read = try LogRecord(decoding: record.bytes, key: .usual)
            let verdict = follower.take(read)
            guard case .extended(let update) = verdict else {
                Issue.record("the sealed record is \(verdict)")
                return
            }
            leader = record.chain
            #expect(follower.position == leader.position)
            #expect(follower.contents.state == leader.contents.state)
            #expect(follower.contents.value == leader.contents.value)
            #expect(follower.contents.value == StateWithDigest(leader.contents.state).value)
            #expect(follower.numbers == leader.numbers)
            #expect(update.contents == record.update.contents)
            checkNumbers(since: before)
        }

        /// Checks that every number either was in the previous state or is new, and occurs once.
        private mutating func checkNumbers(since old: PublishedState) {
            let state = leader.contents.state
            let current = state.numbers.flatMap { $0 }
            #expect(Set(current).count == current.count)
            let new = Set(current).subtracting(old.numbers.flatMap { $0 })
            #expect(new.isDisjoint(with: items))
            items.formUnion(current)
            let headers = state.sections.map(\.section.number)
            #expect(Set(headers).count == headers.count)
            let newHeaders = Set(headers).subtracting(old.sections.map(\.section.number))
            #expect(newHeaders.isDisjoint(with: sections))
            sections.formUnion(headers)
        }
    }

    /// A hub's ledger with random updates and one reader.
    struct Source {
        var ledger = HubLedger(HubConfiguration())
        private var reader = ReaderProgress()
        private var random: SeededGenerator
        private var version = 0

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        var state: PublishedState { ledger.announced.state }

        /// Publishes a random update and returns the message for readers.
        mutating func next() throws -> HubMessage? {
            let shape = state.shape
            let drawn = RandomUpdate(from: shape, &random, rate: 0.25)
            var changes = drawn.changes
            for section in 0..<drawn.newShape.numberOfSections where random.chance(0.2) {
                changes.reloadSupplementaries(ofKind: .header, in: [section])
            }
            if random.chance(0.05) { changes.reloadData() }
            let update = try changes.validated(from: shape, to: drawn.newShape)
            version += 1 + random.next(below: 3)
            let mark = random.next(below: 4)
            ledger.publish(
                RenderedUpdate(update, to: version) {
                    $0.item % 5 == 4
                        ? nil : PublishedPayload(utf8: "item \($0.item % 3) of \(mark)")
                } header: {
                    $0 % 4 == 3 ? nil : PublishedPayload(utf8: "section \($0 % 2) of \(mark)")
                }
            )
            ledger.announce()
            return ledger.next(for: &reader)
        }
    }

    @Test(arguments: 0..<Effort.number(100, usually: 6))
    func publishedItemsKeepOneNumberInTheLog(_ seed: Int) throws {
        var source = Source(seed: UInt64(seed))
        var pair = try Pair()
        // The number in the log for each number of the source.
        var items: [UInt64: UInt64] = [:]
        var sections: [UInt64: UInt64] = [:]
        for step in 0..<60 {
            let version = pair.leader.position.version + 1 + step % 3
            switch try source.next() {
            case .reset(let snapshot, _):
                try pair.take(try pair.leader.sealed(snapshot.state, version: version))
                (items, sections) = ([:], [:])
            case .update(let update):
                try pair.take(
                    try pair.leader.sealed(update.changeSet, update.contents, version: version)
                )
            case let message: Issue.record("\(String(describing: message))")
            }
            let state = pair.follower.contents.state
            #expect(state.shape == source.state.shape)
            for (own, other) in zip(state.sections, source.state.sections) {
                #expect(own.section.payload == other.section.payload)
                #expect(own.items.map(\.payload) == other.items.map(\.payload))
                let section = sections[other.section.number]
                #expect(section == nil || section == own.section.number)
                sections[other.section.number] = own.section.number
                for (own, other) in zip(own.items, other.items) {
                    #expect(items[other.number] == nil || items[other.number] == own.number)
                    items[other.number] = own.number
                }
            }
        }
    }

    @Test(arguments: 0..<Effort.number(200, usually: 10))
    func equalItemsOfANewSourceKeepTheirNumbers(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var pair = try Pair()
        for _ in 0..<20 {
            let texts = (0..<random.next(below: 4)).map { _ in
                (0..<random.next(below: 7)).map { _ in "\(random.next(below: 5))" }
            }
            let state = Samples.state(texts, from: UInt64(1 + random.next(below: 1_000)))
            let before = pair.leader.contents.state
            let version = pair.leader.position.version + 1
            try pair.take(try pair.leader.sealed(state, version: version))
            let after = pair.leader.contents.state
            #expect(after.texts == texts)
            for text in 0..<5 {
                let old = before.numbers(of: "\(text)")
                let new = after.numbers(of: "\(text)")
                let kept = min(old.count, new.count)
                #expect(Array(new.prefix(kept)) == Array(old.prefix(kept)), "text \(text)")
                #expect(Set(new.dropFirst(kept)).isDisjoint(with: old))
            }
            // A state with the same payloads changes nothing, whatever its numbers are.
            let same = Samples.state(texts, from: 5_000)
            let again = try pair.leader.sealed(same, version: version + 1)
            #expect(again.update.changeSet.edits.isEmpty && again.update.contents.count == 0)
            try pair.take(again)
            #expect(pair.leader.contents.state.numbers == after.numbers)
        }
    }
}

extension PublishedState {
    /// Returns the numbers of all items with a payload, in order.
    fileprivate func numbers(of text: String) -> [UInt64] {
        sections.flatMap(\.items).filter { $0.payload == PublishedPayload(utf8: text) }.map(
            \.number
        )
    }
}

/// Versions and numbers without a valid successor cannot be sealed.
@Suite("Limits of versions and numbers") struct SealingTests {
    static let limits = ShapeLimits(sections: 1000, items: 1000)

    @Test func invalidVersionsAndTooLargeStatesAreNotSealed() throws {
        let highest = Int(LogChain.greatestNumber)
        let chain = try Samples.opened(limits: Self.limits)
            .sealed(Samples.state([["a", "b"], ["c"]]), version: 200).chain
        let state = Samples.state([["z"]])
        for version in [-1, 0, chain.position.version, highest + 1, .max] {
            #expect(throws: SealingError.self) { try chain.sealed(state, version: version) }
        }
        #expect(try chain.sealed(state, version: highest).chain.position.version == highest)
        #expect(throws: SealingError.self) {
            try chain.opening(epoch: 2, writer: 1, jump: .max)
        }
        // A state with more items than members accept.
        let large = Samples.state([Array(repeating: "a", count: 1001)])
        #expect(throws: SealingError.self) { try chain.sealed(large, version: highest) }
    }

    @Test func exhaustedNumbersAreNotSealed() throws {
        let highest = LogChain.greatestNumber
        func chain(_ numbers: LastNumbers, _ sequence: UInt64) -> LogChain {
            var place = Samples.position()
            place.sequence = sequence
            return LogChain(at: place, StateWithDigest(), numbers, key: .usual, limits: Self.limits)
        }
        for numbers in [
            LastNumbers(item: highest, section: 1), LastNumbers(item: 1, section: highest),
        ] {
            #expect(throws: SealingError.self) {
                try chain(numbers, 9).sealed(Samples.state([["a"]]), version: 1000)
            }
        }
        #expect(throws: SealingError.self) {
            try chain(LastNumbers(), .max).opening(epoch: 9, writer: 1, jump: 1)
        }
    }
}
