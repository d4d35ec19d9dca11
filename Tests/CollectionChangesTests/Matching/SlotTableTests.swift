import Testing

@testable import CollectionChanges

/// An identifier whose hash is what it says, and which counts how often it is compared.
struct ChosenHash: Hashable {
    final class Tally {
        var comparisons = 0
    }

    var id: Int
    var hash: Int
    var tally: Tally?

    init(_ id: Int, hash: Int, _ tally: Tally? = nil) {
        (self.id, self.hash, self.tally) = (id, hash, tally)
    }

    static func == (left: ChosenHash, right: ChosenHash) -> Bool {
        left.tally?.comparisons += 1
        return left.id == right.id
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    var hashValue: Int { hash }
}

@Suite struct SlotTableTests {
    @Test func halfOfTheSlotsAtMostAreFilledAndAFourthAtLeast() {
        for capacity in 0...300 {
            let table = SlotTable(capacity: capacity)
            var slots = 16
            while slots < 2 * capacity { slots *= 2 }
            #expect(table.mask == slots - 1, "\(capacity)")
            #expect((0..<slots).allSatisfy { table.slots[$0] == 0 })
        }
    }

    @Test func aSlotGivesItsRowBackAndKeepsItsHashForAnother() {
        for hash in [0, 1, -1, 1 << 32, 5 << 40 | 77, Int.max, Int.min] {
            for row in [0, 1, 4_000_000_000] {
                let content = SlotTable.content(hash, row: row)
                #expect(SlotTable.row(content) == row)
                #expect(content != 0 && SlotTable.mayHold(content, hash))
                #expect(!SlotTable.mayHold(content, hash ^ (1 << 32)))
                let other = SlotTable.content(content, row: 7)
                #expect(SlotTable.row(other) == 7)
                #expect(SlotTable.mayHold(other, hash))
                #expect(!SlotTable.mayHold(other, hash ^ (1 << 32)))
            }
        }
    }

    // MARK: Anchors

    @Test func everySixteenthRowIsAnAnchor() {
        for count in [0, 1, 16, 17, 144, 150, 600] {
            let rows = Array(0..<count)
            for start in [0, 1, 15, 100] where start <= count {
                rows.withUnsafeBufferPointer { rows in
                    let anchors = AnchorTable(IdentifierRules<Int>(), rows, from: start)
                    for row in -1...count {
                        let isAnchor = row >= start && row < count && (row - start) % 16 == 0
                        #expect(anchors.row(of: row) == (isAnchor ? row : -1))
                    }
                    let filled = (0...anchors.table.mask).count { anchors.table.slots[$0] != 0 }
                    let slots = anchors.table.mask + 1
                    #expect(filled == (count - start + 15) / 16)
                    #expect(2 * filled <= slots && slots <= max(16, 4 * filled + 4))
                }
            }
        }
    }

    @Test func anchorsOfTheSameHashAreToldApartAndOfEqualOnesTheFirstIsKept() {
        let rows = (0..<320).map { ChosenHash($0 % 80, hash: $0 % 80 < 40 ? 3 : 3 << 32) }
        rows.withUnsafeBufferPointer { rows in
            let anchors = AnchorTable(IdentifierRules<ChosenHash>(), rows, from: 0)
            for id in 0..<80 {
                let found = anchors.row(of: rows[id])
                #expect(found == (id % 16 == 0 ? id : -1), "\(id)")
            }
            // A hash that no anchor has begins at the same slot.
            #expect(anchors.row(of: ChosenHash(0, hash: 7 << 32 | 3)) == -1)
            let filled = (0...anchors.table.mask).count { anchors.table.slots[$0] != 0 }
            #expect(filled == 5)
        }
    }

    @Test func onlyRowsThatMayBeEqualAreCompared() throws {
        let tally = ChosenHash.Tally()
        // All begin at one slot, and none has the high half of another.
        let rows = (0..<64).map { ChosenHash($0, hash: $0 << 32, tally) }
        rows.withUnsafeBufferPointer { rows in
            let anchors = AnchorTable(IdentifierRules<ChosenHash>(), rows, from: 0)
            #expect(tally.comparisons == 0)
            for row in rows { _ = anchors.row(of: row) }
            #expect(tally.comparisons == 4)
        }
        tally.comparisons = 0
        let finder = try DuplicateFinder(IdentifierRules<ChosenHash>(), [rows])
        #expect(try finder.firstDuplicate(isCancelled: { false }) == nil)
        #expect(tally.comparisons == 0)
    }

    @Test func identifiersOfTheSameHashAreNoDuplicates() throws {
        let rows = (0..<30).map { ChosenHash($0, hash: 5) }
        let finder = try DuplicateFinder(IdentifierRules<ChosenHash>(), [rows, []])
        #expect(try finder.firstDuplicate(isCancelled: { false }) == nil)
        let again = try DuplicateFinder(IdentifierRules<ChosenHash>(), [rows, [rows[7]]])
        let found = try again.firstDuplicate(isCancelled: { false })
        #expect(found?.id == rows[7])
        #expect(found?.first == path(0, 7) && found?.second == path(1, 0))
    }
}
