import CollectionChanges
import Testing

@Suite struct IndexMappingTests {
    /// Texture's nine tests of its integer map (ASIntegerMapTests), in their order. An identity
    /// here is bounded: indexes outside the counts map to nil, where Texture's singleton returns
    /// any key.
    @Suite struct TextureTests {
        @Test func equalEditsGiveEqualMappings() {
            let mapping = IndexMapping(oldCount: 2, deleted: [0], inserted: [])
            #expect(mapping == IndexMapping(oldCount: 2, deleted: [0], inserted: []))
            #expect(mapping != IndexMapping(oldCount: 2, deleted: [1], inserted: []))
        }

        @Test func noEditsGiveTheIdentity() {
            let mapping = IndexMapping(oldCount: 1, deleted: [], inserted: [])
            #expect(mapping.isIdentity)
            #expect(newIndexes(mapping, 0...1) == [0, nil])
        }

        @Test func noDataGivesTheEmptyMapping() {
            let mapping = IndexMapping(oldCount: 0, deleted: [], inserted: [])
            #expect(mapping.isIdentity)
            #expect(newIndexes(mapping, 0...1) == [nil, nil])
            let filled = IndexMapping(oldCount: 0, deleted: [], inserted: [0, 1])
            #expect(newIndexes(filled, 0...1) == [nil, nil])
            #expect(filled.newCount == 2)
        }

        @Test func deleteShiftsDown() {
            let mapping = IndexMapping(oldCount: 2, deleted: [0], inserted: [])
            #expect(newIndexes(mapping, 0...2) == [nil, 0, nil])
        }

        @Test func insertShiftsUp() {
            let mapping = IndexMapping(oldCount: 2, deleted: [], inserted: [0])
            #expect(newIndexes(mapping, 0...2) == [1, 2, nil])
        }

        @Test func deleteAndInsertAtOnePlaceReplace() {
            let mapping = IndexMapping(oldCount: 2, deleted: [0], inserted: [0])
            #expect(newIndexes(mapping, 0...2) == [nil, 1, nil])
        }

        @Test func insertsSpreadTheOld() {
            let mapping = IndexMapping(oldCount: 4, deleted: [], inserted: [0, 1, 3])
            #expect(newIndexes(mapping, 0...3) == [2, 4, 5, 6])
        }

        @Test func deletesLeaveOne() {
            let mapping = IndexMapping(oldCount: 4, deleted: [0, 1, 3], inserted: [])
            #expect(newIndexes(mapping, 0...3) == [nil, nil, 0, nil])
        }

        @Test func deletesAndInsertsMix() {
            let mapping = IndexMapping(oldCount: 5, deleted: [0, 1, 3], inserted: [1, 2, 4])
            #expect(newIndexes(mapping, 0...5) == [nil, nil, 0, nil, 3, nil])
        }
    }

    @Test func everySmallMappingIsThatOfTheArray() {
        for oldCount in 0...5 {
            for deleteMask in 0..<(1 << oldCount) {
                let deleted = (0..<oldCount).filter { deleteMask & (1 << $0) != 0 }
                for insertMask in 0..<(1 << 6) {
                    let inserted = (0..<6).filter { insertMask & (1 << $0) != 0 }
                    var array: [Int?] = (0..<oldCount).filter { !deleted.contains($0) }
                    for index in inserted where index <= array.count {
                        array.insert(nil, at: index)
                    }
                    let mapping = IndexMapping(
                        oldCount: oldCount,
                        deleted: SectionSet(deleted),
                        inserted: SectionSet(inserted)
                    )
                    var isRight = mapping.newCount == array.count
                    for index in -1...oldCount
                    where mapping.newIndex(for: index) != array.firstIndex(of: index) {
                        isRight = false
                    }
                    for index in -1...array.count {
                        let expected = array.indices.contains(index) ? array[index] : nil
                        if mapping.oldIndex(for: index) != expected { isRight = false }
                    }
                    if !isRight { Issue.record("\(oldCount), \(deleted), \(inserted)") }
                }
            }
        }
    }

    @Test func editsBeyondTheEndsHaveNoEffect() {
        let mapping = IndexMapping(
            oldCount: 3,
            deleted: [.min, -1, 3, .max],
            inserted: [.min, -1, 4, .max]
        )
        #expect(mapping.isIdentity)
        #expect(mapping.newCount == 3)
        #expect(newIndexes(mapping, -1...3) == [nil, 0, 1, 2, nil])
        #expect(mapping.newIndex(for: .min) == nil && mapping.newIndex(for: .max) == nil)
        #expect(mapping.oldIndex(for: .min) == nil && mapping.oldIndex(for: .max) == nil)
    }

    @Test func hugeDeletesCostNothing() {
        let mapping = IndexMapping(oldCount: 3, deleted: SectionSet(1...Int.max), inserted: [])
        #expect(mapping.newCount == 1)
        #expect(newIndexes(mapping, 0...2) == [0, nil, nil])
        #expect(IndexMapping(oldCount: -5, deleted: [0], inserted: []).newCount == 0)
    }
}

private func newIndexes(_ mapping: IndexMapping, _ indexes: ClosedRange<Int>) -> [Int?] {
    indexes.map { mapping.newIndex(for: $0) }
}
