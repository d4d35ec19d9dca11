import CollectionChanges
import Testing

/// The lists of an update in bytes: each fault of theirs is found where it is.
@Suite struct BinaryListTests {
    /// Version, kind, and the shape of two sections with three items each.
    private let start: [UInt8] = [1, 5, 2, 128, 3]

    /// What is thrown for an update of these parts, from a reader's first list on.
    private func error(_ parts: UInt64, _ lists: [UInt8]) -> BinaryDecodingError? {
        var writer = ByteWriter()
        writer.raw(start)
        writer.unsigned(parts)
        writer.raw(lists)
        let bytes = writer.bytes
        return fault { () throws(BinaryDecodingError) in try ValidatedChangeSet(decoding: bytes) }
    }

    private let itemDeletes: UInt64 = 1 << 0
    private let animations: UInt64 = 1 << 5
    private let sectionInserts: UInt64 = 1 << 6
    private let sectionDeletes: UInt64 = 1 << 7
    private let sectionMoves: UInt64 = 1 << 9
    private let supplementaries: UInt64 = 1 << 10

    @Test func theUsualOptionTakesNoByte() throws {
        let update = try HierarchyChangeSet([.deleteItems([path(0, 0)], .automatic)])
            .validated(from: [3, 3], to: [2, 3])
        #expect(update.encoded() == start + [1, 1, 0, 1, 0])
        #expect(update.encodedAlone() == [1, 6, 2, 6, 1, 1, 0, 1, 0])
        let faded = try HierarchyChangeSet([.deleteItems([path(0, 0)], .fade)])
            .validated(from: [3, 3], to: [2, 3])
        #expect(faded.encoded() == start + [0x21, 1, 0, 1, 0, 1, 4])
    }

    @Test func partsThatCannotBeTogetherOrAreUnknownAreRejected() {
        let wholes = [UInt64(1) << 11, UInt64(1) << 12]
        let mixed = wholes.flatMap { whole in (0...10).map { whole | 1 << $0 } }
        let unknown = (13...63).flatMap { [UInt64(1) << $0, UInt64(1) << $0 | 1] }
        for parts in mixed + [wholes[0] | wholes[1]] + unknown {
            let error = error(parts, [])
            #expect(error?.code == .unknownValue && error?.offset == start.count, "\(parts)")
            #expect(error?.message.contains("cannot be \(parts)") == true)
        }
        #expect(error(0, []) == nil)
        #expect(error(wholes[1], []) == nil)
    }

    @Test func aListThatIsAnnouncedIsNotEmpty() {
        for part in 0...10 where part != 5 {
            let error = error(1 << part, [0])
            #expect(error?.code == .unknownValue, "\(part)")
            #expect(error?.offset == start.count + (part < 7 ? 1 : 2), "\(part)")
            #expect(error?.message.contains("must not be empty") == true, "\(part)")
        }
        // A kind without sections.
        let bare = error(supplementaries, [1, 1, 0x61, 0])
        #expect(bare?.code == .unknownValue && bare?.offset == start.count + 5)
    }

    @Test func sectionsHaveOneOrMoreOfTheItemsAndNoMoreThanThereAre() {
        // How many, then of each section its gap, how many, and their gaps.
        let cases: [(lists: [UInt8], offset: Int, text: String)] = [
            ([1, 0, 0, 0, 1, 0], 8, "1 to 1 of the items, but has 0"),
            ([1, 0, 2, 0, 0], 8, "1 to 1 of the items, but has 2"),
            ([3, 0, 2, 0, 0, 0, 0, 0], 12, "1 to 1 of the items, but has 0"),
            ([3, 0, 2, 0, 0, 0, 2, 0, 0], 12, "1 to 1 of the items, but has 2"),
            ([3, 0, 2, 0, 0, 0, 3, 0, 0, 0], 12, "1 to 1 of the items, but has 3"),
        ]
        for (lists, offset, text) in cases {
            let error = error(itemDeletes, lists)
            #expect(error?.code == .unknownValue && error?.offset == offset, "\(lists)")
            #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
        }
        #expect(error(itemDeletes, [3, 0, 2, 0, 0, 0, 1, 0]) == nil)
    }

    @Test func anOptionIsOfOneOrMoreOfTheEditsAndOfNoMoreThanThereAre() {
        let items: [UInt8] = [2, 0, 2, 0, 0]
        let cases: [(options: [UInt8], offset: Int, text: String)] = [
            ([0, 4, 2, 4], 11, "1 to 2 edits, but is of 0"),
            ([3, 4], 11, "1 to 2 edits, but is of 3"),
            ([1, 4, 0, 4, 1, 4], 13, "1 to 1 edits, but is of 0"),
            ([1, 4, 2, 4], 13, "1 to 1 edits, but is of 2"),
        ]
        for (options, offset, text) in cases {
            let error = error(itemDeletes | animations, items + options)
            #expect(error?.code == .unknownValue && error?.offset == offset, "\(options)")
            #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
        }
        for options in [[2, 4], [1, 4, 1, 2]] as [[UInt8]] {
            #expect(error(itemDeletes | animations, items + options) == nil)
        }
    }

    @Test func kindsAscendAndComeOnce() {
        for first in UInt8(0x61)...0x63 {
            for second in UInt8(0x61)...0x63 {
                let error = error(supplementaries, [2, 1, first, 1, 0, 1, second, 1, 0])
                #expect(error?.code == (first < second ? nil : .outOfOrder))
                if first >= second { #expect(error?.offset == start.count + 7) }
            }
        }
    }

    @Test func ofSeveralSupplementariesThatAreNotThereTheFirstIsReported() {
        let lists: [UInt8] = [2, 1, 0x61, 2, 7, 0, 1, 0x62, 1, 9]
        let error = error(supplementaries, lists)
        #expect(error?.code == .rejected && error?.offset == start.count)
        #expect(error?.updateError?.code == .supplementarySectionRange)
        #expect(error?.updateError?.section == 7)
    }

    // MARK: Sections that cannot be

    @Test func sectionsAreRemovedAndInsertedWhereThereAreSomeAndEachOnce() {
        let cases: [(parts: UInt64, lists: [UInt8], isThere: Bool)] = [
            (sectionDeletes, [1, 1], true), (sectionDeletes, [1, 2], false),
            (sectionDeletes, [3, 0, 0, 0], false),
            // With the number of items that each arrives with.
            (sectionInserts, [1, 2, 4], true), (sectionInserts, [1, 3, 4], false),
            // With the step to the new place.
            (sectionMoves, [1, 0, 2], true), (sectionMoves, [1, 0, 4], false),
            (sectionMoves, [1, 0, 1], false), (sectionMoves, [1, 2, 1], false),
            // Two to one place, and one that is deleted as well.
            (sectionMoves, [2, 0, 0, 0, 1], false),
            (sectionDeletes | sectionMoves, [1, 0, 1, 0, 2], false),
            (sectionDeletes | sectionMoves, [1, 0, 1, 1, 1], true),
        ]
        for (parts, lists, isThere) in cases {
            let error = error(parts, lists)
            #expect((error == nil) == isThere, "\(parts), \(lists): \(error?.message ?? "")")
            if isThere { continue }
            #expect(error?.code == .rejected && error?.offset == start.count, "\(lists)")
            #expect(error?.updateError == nil, "\(lists)")
            #expect(error?.message.contains("each once, but are not") == true, "\(lists)")
        }
    }
}
