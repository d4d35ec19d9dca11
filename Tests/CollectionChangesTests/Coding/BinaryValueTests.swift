import CollectionChanges
import TestSupport
import Testing

/// Paths, shapes, records and edits in bytes: they are unchecked, so that everything comes back.
@Suite struct BinaryValueTests {
    private static let extremes = [
        Int.min, Int.min + 1, -129, -65, -64, -1, 0, 1, 63, 64, 127, 128, 16_383, 16_384,
        Int.max - 1, Int.max,
    ]

    @Test func everyPathComesBack() throws {
        for section in Self.extremes {
            for item in Self.extremes {
                #expect(
                    try ItemPath(decoding: path(section, item).encoded()) == path(section, item)
                )
            }
        }
        #expect(path(0, 3).encoded() == [1, 1, 0, 6])
    }

    @Test func everySmallShapeComesBack() throws {
        for shape in everyShape(sections: 6, itemsEach: 2, items: 12) {
            #expect(try HierarchyShape(decoding: shape.encoded()) == shape)
        }
    }

    @Test func runsOfEveryLengthComeBack() throws {
        for length in 0...400 {
            let same = HierarchyShape(Array(repeating: 7, count: length))
            #expect(try HierarchyShape(decoding: same.encoded()) == same)
            let bytes = same.encoded()
            #expect(bytes.count <= 5 + 2 * (length / 129 + 1))
            let other = HierarchyShape((0..<length).map { $0 % 5 == 0 ? 3 : $0 })
            #expect(try HierarchyShape(decoding: other.encoded()) == other)
        }
    }

    @Test func negativeCountsAreWrittenAndRejected() {
        let error = fault { () throws(BinaryDecodingError) in
            try HierarchyShape(decoding: HierarchyShape([1, -1]).encoded())
        }
        #expect(error?.updateError?.code == .negativeItemCount)
    }

    @Test func aMillionEqualSectionsTakeFewBytesAndComeBack() throws {
        let shape = HierarchyShape(Array(repeating: 1, count: 1_000_000))
        #expect(shape.encoded().count < 16_000)
        #expect(try HierarchyShape(decoding: shape.encoded()) == shape)
    }

    // MARK: Records and edits

    @Test func everyRecordComesBack() throws {
        for seed in UInt64(0)..<Effort.number(1_000, usually: 150) {
            let changes = randomRecord(seed)
            #expect(try HierarchyChangeSet(decoding: changes.encoded()) == changes, "seed \(seed)")
        }
    }

    @Test func everySequenceOfEditsComesBack() throws {
        for seed in UInt64(0)..<Effort.number(1_000, usually: 150) {
            let edits = randomEdits(seed)
            #expect(try [HierarchyEdit](decoding: edits.encoded()) == edits, "seed \(seed)")
        }
    }

    @Test func integersInMoreBytesThanTheyNeedAreRejected() {
        func code(_ bytes: [UInt8]) -> BinaryDecodingError.Code? {
            fault { () throws(BinaryDecodingError) in try ItemPath(decoding: bytes) }?.code
        }
        #expect(code([1, 1, 0x80, 0x00, 0]) == .overlongInteger)
        #expect(code([1, 1, 0x80, 0x80, 0x00, 0]) == .overlongInteger)
        let nine = Array(repeating: UInt8(0xFF), count: 9)
        #expect(code([1, 1] + nine + [0x01, 0]) == nil)
        #expect(code([1, 1] + nine + [0x02, 0]) == .integerOverflow)
        #expect(code([1, 1] + nine + [0x81, 0]) == .integerOverflow)
        #expect(code([1, 1, 0x80]) == .truncated)
        #expect(code([2, 1, 0, 0]) == .unknownVersion)
        #expect(code([1, 2, 0, 0]) == .otherKind)
        #expect(code([1, 1, 0, 0, 0]) == .trailingBytes)
        #expect(code([]) == .truncated)
    }

    @Test func runsOfSectionsThatTouchOrDescendAreRejected() {
        func code(_ second: [UInt8]) -> BinaryDecodingError.Code? {
            // deleteSections, automatic, two runs: 3 to 4, and another from a step after it on.
            let bytes: [UInt8] = [1, 3, 1, 6, 2, 2, 6, 1] + second
            return fault { () throws(BinaryDecodingError) in
                try HierarchyChangeSet(decoding: bytes)
            }?.code
        }
        #expect(code([4, 0]) == nil)
        for second: [UInt8] in [[2, 0], [0, 0], [1, 0]] { #expect(code(second) == .outOfOrder) }
    }

    @Test func textMustBeUTF8() {
        var bytes = HierarchyChangeSet([.reloadSupplementaries(.header, in: [1], .automatic)])
            .encoded()
        bytes[bytes.count - 1] = 0xFF
        let error = fault { () throws(BinaryDecodingError) in
            try HierarchyChangeSet(decoding: bytes)
        }
        #expect(error?.code == .invalidText)
    }

    @Test func everyByteOfRecordsAndEditsMayBeAnything() {
        for seed in UInt64(0)..<Effort.number(2, usually: 1) {
            let record = randomRecord(seed).encoded()
            let edits = randomEdits(seed).encoded()
            for position in 0..<max(record.count, edits.count) {
                for value in stride(from: 0, through: 255, by: Effort.number(1, usually: 5)) {
                    expectSense(record, edits, at: position, UInt8(value))
                }
            }
        }
    }

    private func expectSense(_ record: [UInt8], _ edits: [UInt8], at position: Int, _ value: UInt8)
    {
        if position < record.count {
            var spoilt = record
            spoilt[position] = value
            if let changes = try? HierarchyChangeSet(decoding: spoilt) {
                #expect(try! HierarchyChangeSet(decoding: changes.encoded()) == changes)
            }
        }
        if position < edits.count {
            var spoilt = edits
            spoilt[position] = value
            if let read = try? [HierarchyEdit](decoding: spoilt) {
                #expect(try! [HierarchyEdit](decoding: read.encoded()) == read)
            }
        }
    }
}

/// Any integers in any operation.
func randomRecord(_ seed: UInt64) -> HierarchyChangeSet {
    var draw = RandomPlaces(seed: seed)
    var changes = HierarchyChangeSet()
    for _ in 0..<draw.generator.next(below: 8) {
        let option = AnimationOption(
            rawValue: draw.generator.next(below: 2) == 0 ? 1 : draw.integer()
        )
        switch draw.generator.next(below: 12) {
        case 0: changes.record(.deleteItems(draw.paths(), option))
        case 1: changes.record(.insertItems(draw.paths(), option))
        case 2: changes.record(.reloadItems(draw.paths(), option))
        case 3: changes.record(.reconfigureItems(draw.paths(), option))
        case 4: changes.record(.moveItem(at: draw.path(), to: draw.path(), option))
        case 5: changes.record(.deleteSections(draw.sections(), option))
        case 6: changes.record(.insertSections(draw.sections(), option))
        case 7: changes.record(.reloadSections(draw.sections(), option))
        case 8: changes.record(.reconfigureSections(draw.sections(), option))
        case 9: changes.record(.moveSection(draw.integer(), toSection: draw.integer(), option))
        case 10: changes.record(.reloadSupplementaries(.footer, in: draw.sections(), option))
        default: changes.record(.reloadData(option))
        }
    }
    return changes
}

/// Any integers and roles in any edit, in any order.
func randomEdits(_ seed: UInt64) -> [HierarchyEdit] {
    var draw = RandomPlaces(seed: seed)
    let roles: [EditRole] = [.delete, .insert, .reload, .move]
    return (0..<draw.generator.next(below: 12)).map { _ in
        let role = roles[draw.generator.next(below: 4)]
        let option =
            draw.generator.next(below: 2) == 0
            ? .automatic : AnimationOption(rawValue: draw.integer())
        let isAssociated = draw.generator.next(below: 2) == 0
        let kind = draw.generator.next(below: 4)
        if kind < 2 {
            let edit = ItemEdit(
                path: draw.path(),
                role: role,
                associatedWith: isAssociated ? draw.path() : nil,
                animation: option
            )
            return kind == 0 ? .removeItem(edit) : .insertItem(edit)
        }
        let edit = SectionEdit(
            section: draw.integer(),
            role: role,
            associatedWith: isAssociated ? draw.integer() : nil,
            freshItemCount: draw.generator.next(below: 2) == 0 ? 0 : draw.integer(),
            animation: option
        )
        return kind == 2 ? .removeSection(edit) : .insertSection(edit)
    }
}

private struct RandomPlaces {
    var generator: SeededNumbers

    init(seed: UInt64) { generator = SeededNumbers(seed: seed) }

    mutating func integer() -> Int {
        switch generator.next(below: 5) {
        case 0: Int(truncatingIfNeeded: generator.next())
        case 1: generator.next(below: 2) == 0 ? Int.min : Int.max
        default: generator.next(below: 40) - 10
        }
    }

    mutating func path() -> ItemPath { ItemPath(section: integer(), item: integer()) }

    mutating func paths() -> [ItemPath] { (0..<generator.next(below: 5)).map { _ in path() } }

    mutating func sections() -> SectionSet {
        var set = SectionSet()
        for _ in 0..<generator.next(below: 4) {
            let (one, other) = (integer(), integer())
            set.insert(contentsOf: min(one, other)...max(one, other))
        }
        return set
    }
}
