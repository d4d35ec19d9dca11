import CollectionChanges
import TestSupport
import Testing

/// The digest is a documented function that distinguishes states.
@Suite struct DigestTests {
    // MARK: The hash

    // From the vectors of SipHash's authors, computed again with OpenSSL.
    @Test(arguments: [
        (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
        (15, "5493e99933b0a8117e08ec0f97cfc3d9"), (17, "473d06e8738db89854c066c47ae47740"),
    ])
    func theHashIsSipHashForAnyGroupingOfTheBytes(length: Int, expected: String) {
        let bytes = (0..<length).map { UInt8($0) }
        for first in 0...length {
            for second in first...length {
                var hasher = StableHasher()
                for part in [bytes[..<first], bytes[first..<second], bytes[second...]] {
                    Array(part).withUnsafeBytes { hasher.combine(bytes: $0) }
                }
                #expect(hasher.finish().description == expected)
            }
        }
    }

    /// Eight bytes, the lowest first.
    private func word(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    @Test func everyValueFeedsItsDocumentedBytes() {
        let large: UInt64 = 0x0123_4567_89AB_CDEF
        let digest = StateDigest(low: large, high: ~large)
        let rows: [(any StableHashable, [UInt8])] = [
            (0, word(0)), (-2, word(.max - 1)), (Int.min, word(1 << 63)),
            (Int64(-2), word(.max - 1)), (large, word(large)), ("", word(0)),
            ("é", word(2) + [0xC3, 0xA9]), ("nine bytes", word(10) + Array("nine bytes".utf8)),
            (digest, word(large) + word(~large)), ([Int](), word(0)),
            ([5, 6], word(2) + word(5) + word(6)), (["a"], word(1) + word(1) + [0x61]),
            (Int?.none, [0]), (Int?.some(3), [1] + word(3)),
        ]
        for (value, bytes) in rows {
            // Includes positions that are not at the start of a word.
            for odd in 0...7 {
                let before = Array(repeating: UInt8(odd), count: odd)
                var (fed, plain) = (StableHasher(), StableHasher())
                for byte in before { fed.combine(byte) }
                value.hash(into: &fed)
                for byte in before + bytes { plain.combine(byte) }
                #expect(fed.finish() == plain.finish(), "\(value) after \(odd) bytes")
            }
        }
    }

    @Test func aDigestConvertsToTextAndBack() {
        let digits = Array("0123456789abcdef")
        var random = SeededNumbers(seed: 1)
        for _ in 0..<300 {
            let digest = StateDigest(low: random.next(), high: random.next())
            #expect(digest.bytes == word(digest.low) + word(digest.high))
            let text = digest.bytes.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }
                .joined()
            #expect(digest.description == text)
            #expect(StateDigest(text) == digest && StateDigest(text.uppercased()) == digest)
            for other in [String(text.dropLast()), text + "0", "g" + text.dropFirst(), ""] {
                #expect(StateDigest(other) == nil)
            }
        }
    }

    // MARK: Documented function

    /// The documented sum in another form: all links first.
    private func model(_ state: Listing) -> StateDigest {
        func hash(_ words: [UInt64], _ bytes: [UInt8]) -> StateDigest {
            var hasher = StableHasher()
            for word in words { hasher.combine(word) }
            for byte in bytes { hasher.combine(byte) }
            return hasher.finish()
        }
        func links(_ ring: [StateDigest], _ domain: UInt8) -> [StateDigest] {
            ring.indices.map { index in
                let (from, to) = (ring[index], ring[(index + 1) % ring.count])
                return hash([from.low, from.high, to.low, to.high], [domain])
            }
        }
        let heads = state.sections.map { hash([], [2] + word(UInt64($0.id))) }
        var all = links([StateDigest(low: 0, high: 0)] + heads, 4)
        for (section, head) in zip(state.sections, heads) {
            let items = section.items.map { item in
                let revision = state.revisions[item].map { [1] + word(UInt64($0)) } ?? [0]
                return hash([], [1] + word(UInt64(item)) + revision)
            }
            all += links([head] + items, 3)
        }
        // Adds words, with the carry computed by hand.
        var (low, high): (UInt64, UInt64) = (0, 0)
        for link in all {
            let sum = low.addingReportingOverflow(link.low)
            low = sum.partialValue
            high = high &+ link.high &+ (sum.overflow ? 1 : 0)
        }
        return StateDigest(low: low, high: high)
    }

    @Test func everySmallStateHasItsDocumentedUniqueDigest() {
        // All ways to distribute some of five items, in any order, over up to three sections in any
        // order.
        var digests: Set<StateDigest> = []
        var states: Set<Listing> = []
        var fault: String?
        func extend(_ state: Listing) {
            guard states.insert(state).inserted else { return }
            let digest = StateDigest(of: state)
            digests.insert(digest)
            if digest != model(state) { fault = "\(state.sections)" }
            for id in 0..<3 where state.sections.count < 3 {
                if state.sections.contains(where: { $0.id == id }) { continue }
                var next = state
                next.sections.append(Listing.Section(id: id, items: []))
                extend(next)
            }
            let items = state.sections.flatMap(\.items)
            guard !state.sections.isEmpty, items.count < Effort.number(4, usually: 3) else {
                return
            }
            for item in 0..<5 where !items.contains(item) {
                var next = state
                next.sections[next.sections.count - 1].items.append(item)
                extend(next)
            }
        }
        extend(Listing())
        #expect(fault == nil)
        #expect(states.count > 2_000 && digests.count == states.count)
    }

    // Also computed outside, with Python and OpenSSL.
    @Test func theDigestsOfTheFirstReleaseAreStable() {
        struct Inbox: DigestedState {
            let numberOfSections = 1
            func numberOfItems(inSection section: Int) -> Int { 2 }
            func digest(ofSection section: Int) -> ElementDigest { ElementDigest(section: "inbox") }
            func forEachItemDigest(
                in range: Range<Int>,
                ofSection section: Int,
                _ body: (ElementDigest) -> Void
            ) {
                let items = [ElementDigest(item: 1, revision: 2), ElementDigest(item: "é")]
                for item in items[range] { body(item) }
            }
        }
        #expect(StateDigest(of: Listing()).description == "93ec5d9f2d427b762212c94cb806863b")
        #expect(StateDigest(of: Inbox()).description == "754ca9d6e690493c11fd45f18be88d58")
    }

    @Test func revisionsKeysAndKindsChangeDigests() {
        let key = StableHashKey(low: 1, high: 2)
        let digests: Set = [
            ElementDigest(item: 1), ElementDigest(item: 1, revision: 0),
            ElementDigest(item: 1, revision: 1), ElementDigest(item: 2), ElementDigest(section: 1),
            ElementDigest(item: 1, key: key), ElementDigest(section: 1, key: key),
            ElementDigest(item: 1, key: StableHashKey(low: 1, high: 3)),
            ElementDigest(item: "1"), ElementDigest(item: [2]),
        ]
        #expect(digests.count == 10)
    }

    // MARK: Incremental updates

    @Test func anyUpdateKeepsTheDigestAndReadsFewItems() throws {
        for seed in UInt64(0)..<UInt64(Effort.number(3_000, usually: 300)) {
            var updates = EncodableUpdates(seed: seed)
            let update = try updates.next()
            let old = Listing(shape: update.oldShape)
            let new = old.after(update)
            let before = StateDigest(of: old)
            (old.reads.count, new.reads.count) = (0, 0)
            let digest = try before.updated(by: update, from: old, to: new)
            let reads = (old.reads.count, new.reads.count)
            #expect(digest == model(new), "seed \(seed)")
            if update.isReloadData {
                #expect(reads.0 == 0, "seed \(seed)")
                continue
            }
            // Each edited item with both neighbours, and all items of inserted, deleted and
            // reloaded sections.
            let ended = update.sectionRemovals.filter { $0.role != .move }
                .reduce(0) { $0 + update.oldShape.itemCounts[$1.section] }
            let insertedCount = update.sectionInsertions.filter { $0.role != .move }
                .reduce(0) { $0 + update.newShape.itemCounts[$1.section] }
            let updated = update.reconfigurations.count
            let bounds = (
                ended + 3 * (update.itemRemovals.count + updated),
                insertedCount + 3 * (update.itemInsertions.count + updated)
            )
            #expect(reads.0 <= bounds.0 && reads.1 <= bounds.1, "seed \(seed)")
        }
    }

    @Test func aStateWithWrongCountsIsRejectedIfItIsRead() throws {
        let update = try record("D1.0 I2.0").validated(from: [1, 3, 2], to: [1, 2, 3])
        let (old, new) = (Listing(shape: [1, 3, 2]), Listing(shape: [1, 2, 3]))
        let rows: [(Listing, Listing, HierarchyUpdateError.Code?, Int?, String)] = [
            (
                Listing(shape: [1, 4, 2]), new, .itemCount, 1,
                "3 items in section 1, but the state has 4"
            ),
            (
                old, Listing(shape: [1, 2, 2]), .itemCount, 2,
                "3 items in section 2, but the state has 2"
            ),
            (Listing(shape: [1, 3]), new, .sectionCount, nil, "3 sections, but the state has 2"),
            (old, Listing(), .sectionCount, nil, "3 sections, but the state has 0"),
            (Listing(shape: [9, 3, 2]), new, nil, nil, ""), (old, new, nil, nil, ""),
        ]
        for (from, to, code, section, text) in rows {
            let error = rejection(
                of: try StateDigest(of: old).updated(by: update, from: from, to: to)
            )
            #expect(error?.code == code && error?.section == section, "\(text)")
            #expect(error.map { $0.message.hasSuffix(text) } ?? true, "\(error as Any)")
        }
    }
}

/// A plain state of numbered sections and items.
struct Listing: DigestedState, Hashable {
    struct Section: Hashable {
        var id: Int
        var items: [Int]
    }

    /// The number of items that were read.
    final class ReadCount: Hashable {
        var count = 0
        static func == (_: ReadCount, _: ReadCount) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    var sections: [Section] = []
    var revisions: [Int: Int] = [:]
    private(set) var reads = ReadCount()

    init() {}

    /// Makes sections and items that are numbered in order.
    init(shape: HierarchyShape) {
        var next = 0
        for (index, count) in shape.itemCounts.enumerated() {
            sections.append(Section(id: index, items: Array(next..<next + count)))
            next += count
        }
    }

    /// Returns the state after an update: new elements get unique numbers, and reconfigured ones
    /// another revision.
    func after(_ update: ValidatedChangeSet) -> Listing {
        var new = Listing()
        var last = 1_000
        func number() -> Int {
            last += 1
            return last
        }
        for (index, count) in update.newShape.itemCounts.enumerated() {
            let origin = update.sectionMapping.oldIndex(for: index)
            let items = (0..<count).map { item in
                update.oldPath(for: path(index, item)).map { sections[$0.section].items[$0.item] }
                    ?? number()
            }
            new.sections.append(
                Section(id: origin.map { sections[$0].id } ?? number(), items: items)
            )
        }
        let changed =
            update.reconfigurations.map(\.newPath)
            + update.itemInsertions.filter { $0.role == .reload }.map(\.path)
        for path in changed { new.revisions[new.sections[path.section].items[path.item]] = 1 }
        return new
    }

    var numberOfSections: Int { sections.count }

    func numberOfItems(inSection section: Int) -> Int { sections[section].items.count }

    func digest(ofSection section: Int) -> ElementDigest {
        ElementDigest(section: sections[section].id)
    }

    func forEachItemDigest(
        in range: Range<Int>,
        ofSection section: Int,
        _ body: (ElementDigest) -> Void
    ) {
        for item in sections[section].items[range] {
            reads.count += 1
            body(ElementDigest(item: item, revision: revisions[item]))
        }
    }
}
