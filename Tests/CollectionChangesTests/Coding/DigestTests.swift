import CollectionChanges
import TestSupport
import Testing

/// The digest is a function that anyone can compute again, and that tells states apart.
@Suite struct DigestTests {
    // From the vectors that SipHash's authors publish, computed again with OpenSSL.
    @Test(arguments: [
        (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
        (15, "5493e99933b0a8117e08ec0f97cfc3d9"), (17, "473d06e8738db89854c066c47ae47740"),
    ])
    func theHashIsSipHash(length: Int, expected: String) {
        // However the bytes are cut.
        for first in 0...length {
            for second in first...length {
                var hasher = StableHasher()
                let bytes = (0..<length).map { UInt8($0) }
                for part in [bytes[..<first], bytes[first..<second], bytes[second...]] {
                    Array(part).withUnsafeBytes { hasher.combine(bytes: $0) }
                }
                #expect(hasher.finish().description == expected)
            }
        }
    }

    @Test func digestsAreTextAndBack() {
        let digest = StateDigest(low: 0x0123_4567_89AB_CDEF, high: 1)
        #expect(digest.description == "efcdab89674523010100000000000000")
        #expect(StateDigest(digest.description) == digest)
        for text in ["", "ef", digest.description + "0", String(repeating: "g", count: 32)] {
            #expect(StateDigest(text) == nil)
        }
    }

    // MARK: The function

    /// The documented sum, written down another way: all links first.
    private func model(_ state: Listing) -> StateDigest {
        let ends = StateDigest(low: 0, high: 0)
        func hash(_ words: [UInt64], _ domain: UInt8) -> StateDigest {
            var hasher = StableHasher()
            for word in words { hasher.combine(word) }
            hasher.combine(domain)
            return hasher.finish()
        }
        func element(_ domain: UInt8, _ number: Int) -> StateDigest {
            var hasher = StableHasher()
            hasher.combine(domain)
            hasher.combine(UInt64(number))
            if domain == 1 { hasher.combine(UInt8(0)) }
            return hasher.finish()
        }
        func links(_ ring: [StateDigest], _ domain: UInt8) -> [StateDigest] {
            ring.indices.map { index in
                let (from, to) = (ring[index], ring[(index + 1) % ring.count])
                return hash([from.low, from.high, to.low, to.high], domain)
            }
        }
        let heads = state.sections.map { element(2, $0.id) }
        var all = links([ends] + heads, 4)
        for (section, head) in zip(state.sections, heads) {
            all += links([head] + section.items.map { element(1, $0) }, 3)
        }
        // Added by words, with the carry by hand.
        var (low, high): (UInt64, UInt64) = (0, 0)
        for link in all {
            let sum = low.addingReportingOverflow(link.low)
            low = sum.partialValue
            high = high &+ link.high &+ (sum.overflow ? 1 : 0)
        }
        return StateDigest(low: low, high: high)
    }

    @Test func theDigestIsTheDocumentedFunction() {
        for sections in 0..<5 {
            for items in 0..<5 {
                let state = Listing(
                    (0..<sections).map { section in
                        (section * 3, (0..<items).map { $0 * 7 + section * 100 })
                    }
                )
                #expect(StateDigest(of: state) == model(state), "\(state)")
            }
        }
    }

    // Computed once more outside, with Python and OpenSSL.
    @Test func theDigestsOfTheFirstReleaseStay() {
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
        #expect(StateDigest(of: Listing([])).description == Self.emptyDigest)
        #expect(StateDigest(of: Inbox()).description == Self.inboxDigest)
    }

    private static let emptyDigest = "93ec5d9f2d427b762212c94cb806863b"
    private static let inboxDigest = "754ca9d6e690493c11fd45f18be88d58"

    // MARK: What it tells apart

    @Test func everySmallStateHasADigestOfItsOwn() {
        // All ways of spreading up to four of five items, in any order, over up to three sections in any order.
        var digests: Set<StateDigest> = []
        var states: Set<Listing> = []
        func extend(_ state: Listing) {
            guard states.insert(state).inserted else { return }
            digests.insert(StateDigest(of: state))
            if state.sections.count < 3 {
                for id in 0..<3 where !state.sections.contains(where: { $0.id == id }) {
                    extend(Listing(state.pairs + [(id, [])]))
                }
            }
            guard let last = state.pairs.last,
                state.pairs.map(\.1.count).reduce(0, +) < Effort.number(4, usually: 3)
            else { return }
            for item in 0..<5 where !state.pairs.contains(where: { $0.1.contains(item) }) {
                extend(Listing(state.pairs.dropLast() + [(last.0, last.1 + [item])]))
            }
        }
        extend(Listing([]))
        #expect(states.count > 2_000)
        #expect(digests.count == states.count)
    }

    @Test func aRevisionAKeyAndAKindMakeAnotherDigest() {
        let key = StableHashKey(low: 1, high: 2)
        let digests: Set = [
            ElementDigest(item: 1), ElementDigest(item: 1, revision: 0),
            ElementDigest(item: 1, revision: 1), ElementDigest(item: 2), ElementDigest(section: 1),
            ElementDigest(item: 1, key: key), ElementDigest(section: 1, key: key),
            ElementDigest(item: "1"), ElementDigest(item: [2]),
        ]
        #expect(digests.count == 9)
    }

    // MARK: Keeping it up to date

    @Test func anyUpdateKeepsTheDigestUpToDate() throws {
        for seed in UInt64(0)..<UInt64(Effort.number(2_000, usually: 300)) {
            var generator = SeededNumbers(seed: seed)
            var state = Listing.random(&generator)
            var digest = StateDigest(of: state)
            for step in 0..<6 {
                let next = state.changed(&generator)
                let update = try next.update(
                    from: state,
                    seed.isMultiple(of: 2) ? .reload : .reconfigure
                )
                digest = try digest.updated(by: update, from: state, to: next)
                #expect(digest == StateDigest(of: next), "seed \(seed), step \(step)")
                state = next
            }
        }
    }

    @Test func onlyWhatTheUpdateNamesAndItsNeighboursAreLookedAt() throws {
        let old = Listing([(0, Array(0..<1_000)), (1, Array(1_000..<2_000))])
        var sections = old.pairs
        sections[0].1.remove(at: 500)
        sections[0].1.insert(5_000, at: 100)
        sections.swapAt(0, 1)
        let new = Listing(sections)
        let update = try new.update(from: old)
        let (countedOld, countedNew) = (CountedListing(old), CountedListing(new))
        let digest = try StateDigest(of: old).updated(
            by: update,
            from: countedOld,
            to: countedNew
        )
        #expect(digest == StateDigest(of: new))
        // What goes with both neighbours; and as many for what comes.
        #expect(countedOld.items == 3 && countedNew.items == 3)
    }

    @Test func statesOfOtherCountsAreRejected() throws {
        let old = Listing([(0, [1, 2, 3])])
        let new = Listing([(0, [1, 3, 4, 5])])
        let update = try new.update(from: old)
        let digest = StateDigest(of: old)
        let wrong = [(new, new), (old, old), (Listing([]), new), (old, Listing([]))]
        for (from, to) in wrong {
            let error = #expect(throws: HierarchyUpdateError.self) {
                try digest.updated(by: update, from: from, to: to)
            }
            let isOfSections = from.sections.isEmpty || to.sections.isEmpty
            #expect(error?.code == (isOfSections ? .sectionCount : .itemCount))
        }
        let error = #expect(throws: HierarchyUpdateError.self) {
            try digest.updated(by: update, from: old, to: old)
        }
        #expect(error?.message == "the update is of 4 items in section 0, but the state has 3")
    }

    @Test func aReloadOfEverythingIsTheDigestOfTheNewState() throws {
        let (old, new) = (Listing([(0, [1, 2])]), Listing([(3, [4]), (5, [])]))
        var changes = HierarchyChangeSet()
        changes.reloadData()
        let update = try changes.validated(from: old.shape, to: new.shape)
        let digest = try StateDigest(of: old).updated(by: update, from: old, to: new)
        #expect(digest == StateDigest(of: new))
    }
}
