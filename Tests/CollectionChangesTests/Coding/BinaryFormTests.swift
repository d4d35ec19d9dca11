import CollectionChanges
import Foundation
import TestSupport
import Testing

/// The binary forms of shapes and updates: their documented bytes, and that every value decodes.
@Suite struct BinaryFormTests {
    // MARK: Bytes that must not change

    private static let shapes: [(shape: HierarchyShape, bytes: [UInt8])] = [
        ([], [0]), ([300], [1, 0, 0xAC, 2]), ([5, 1], [2, 1, 5, 1]), ([7, 7], [2, 128, 7]),
        ([7, 7, 7], [3, 129, 7]), ([1, 7, 7, 2], [4, 0, 1, 128, 7, 0, 2]),
        (HierarchyShape(Array(repeating: 7, count: 130)), [0x82, 1, 255, 7, 0, 7]),
    ]

    struct UpdateRow: Sendable {
        /// In the form that `record(_:)` reads.
        let text: String
        let old: HierarchyShape
        let new: HierarchyShape
        /// The part that both binary forms share.
        let lists: [UInt8]

        init(_ text: String, _ old: HierarchyShape, _ new: HierarchyShape, _ lists: [UInt8]) {
            (self.text, self.old, self.new, self.lists) = (text, old, new, lists)
        }

        func update() throws -> ValidatedChangeSet {
            try record(text).validated(from: old, to: new)
        }
    }

    static let updates: [UpdateRow] = [
        UpdateRow("", [3, 3], [3, 3], [0x80, 0x20]), UpdateRow("D/2", [3, 3], [3, 3], [0]),
        UpdateRow("X/2", [3, 3], [1, 3], [0x80, 0x10, 2, 1, 1, 3, 4]),
        UpdateRow("D0.0", [3, 3], [2, 3], [1, 1, 0, 1, 0]),
        UpdateRow("D0.0/2", [3, 3], [2, 3], [0x21, 1, 0, 1, 0, 1, 4]),
        // Deletes, moves, options, inserted sections; then the lists.
        UpdateRow(
            "D0.2+0.4 M0.0>2.1/2 IS1",
            [5, 1],
            [2, 7, 2],
            [0x69, 2, 0, 2, 2, 1, 2, 2, 1, 0, 1, 0, 1, 4, 4, 1, 1, 1, 1, 2, 7]
        ),
        // Reloads, reconfigurations, reloaded and moved sections, supplementaries.
        UpdateRow(
            "R0.1 C0.0 RS1 MS2>0 H0+2",
            [2, 1, 3],
            [3, 2, 4],
            [0x94, 0x0E, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 4, 1, 2, 3, 1, 6] + Array("header".utf8)
                + [2, 0, 1]
        ),
        // Inserts, a move within a section, deleted sections.
        UpdateRow(
            "I1.1 DS1 M0.2>0.0",
            [3, 2, 2],
            [3, 3],
            [0x8A, 1, 1, 1, 1, 1, 1, 0, 1, 2, 0, 3, 1, 1]
        ),
    ]

    @Test func theBytesOfTheFirstReleaseAreStable() throws {
        for (shape, bytes) in Self.shapes {
            #expect(shape.encoded() == [1, 2] + bytes, "\(shape)")
        }
        for row in Self.updates {
            let update = try row.update()
            let start = Array(row.old.encoded().dropFirst(2))
            let counts = [row.old.numberOfSections, row.old.itemCounts.reduce(0, +)]
            #expect(update.encoded() == [1, 5] + start + row.lists, "\(row)")
            #expect(update.encodedWithoutShape() == [1, 6] + counts.map { UInt8($0) } + row.lists)
            #expect(roundTripFault(of: update) == nil, "\(row)")
        }
    }

    @Test func everyValidEncodingOfAShapeIsRead() throws {
        for bytes: [UInt8] in [[1, 7, 7], [0, 7, 0, 7], [128, 7]] {
            #expect(try HierarchyShape(decoding: [1, 2, 2] + bytes) == [7, 7])
        }
    }

    // MARK: Round trips

    @Test func everyShapeDecodesFromFewBytes() throws {
        var shapes = everyShape(sections: 6, itemsEach: 2, items: 12)
        for length in 0...400 {
            let same = HierarchyShape(Array(repeating: 7, count: length))
            #expect(same.encoded().count <= 5 + 2 * (length / 129 + 1))
            shapes += [same, HierarchyShape((0..<length).map { $0 % 5 == 0 ? 3 : $0 })]
        }
        shapes.append(HierarchyShape(Array(repeating: 1, count: 1_000_000)))
        #expect(shapes[shapes.count - 1].encoded().count < 16_000)
        let other = try shapes.first { try HierarchyShape(decoding: $0.encoded()) != $0 }
        #expect(other == nil)
    }

    @Test func everySmallUpdateDecodesFromBothForms() throws {
        let shapes = everyShape(sections: 2, itemsEach: 2, items: 2)
        var count = 0
        var sampling = Sampling()
        var fault: String?
        for old in shapes {
            for new in shapes where fault == nil {
                withEveryConsistentRecord(from: old, to: new) { changes in
                    guard fault == nil, sampling.takesNext(),
                        let update = try? changes.validated(from: old, to: new)
                    else { return }
                    count += 1
                    fault = roundTripFault(of: update).map { "\(old), \(new), \(changes): \($0)" }
                }
            }
        }
        #expect(fault == nil)
        #expect(count > 100)
    }

    @Test func everyRandomUpdateDecodesFromEveryForm() throws {
        for seed in UInt64(0)..<Effort.number(1_000, usually: 60) {
            var updates = EncodableUpdates(seed: seed)
            let update = try updates.next()
            let recorded = try JSONEncoder().encode(updates.record)
            let again = try JSONDecoder().decode(HierarchyChangeSet.self, from: recorded)
            #expect(again == updates.record, "seed \(seed)")
            #expect(roundTripFault(of: update) == nil, "seed \(seed)")
            #expect(roundTripFault(of: try updates.next(sections: 300, items: 3)) == nil, "\(seed)")
        }
    }

    private func roundTripFault(of update: ValidatedChangeSet) -> String? {
        do {
            let (bytes, bytesAlone) = (update.encoded(), update.encodedWithoutShape())
            let whole = try ValidatedChangeSet(decoding: bytes)
            let alone = try ValidatedChangeSet(decoding: bytesAlone, from: update.oldShape)
            let expected = ObservedUpdate(update)
            if ObservedUpdate(whole) != expected { return "wrong update" }
            if ObservedUpdate(alone) != expected { return "wrong update without shape" }
            if whole.encoded() != bytes || alone.encodedWithoutShape() != bytesAlone {
                return "wrong bytes"
            }
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [1, 1_000])
    func tenEditsInAMillionItemsNeedAtMostTenBytesEach(_ sections: Int) throws {
        let each = 1_000_000 / sections
        // Distant from each other.
        let places = (0..<6).map { path($0 * 166 % sections, ($0 * 7_919 + 500) % each) }.sorted()
        var counts = Array(repeating: each, count: sections)
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: Array(places[0..<3]), animation: .fade)
        for place in places[0..<3] { counts[place.section] -= 1 }
        changes.reloadItems(at: Array(places[3..<5]))
        let section = places[5].section
        changes.moveItem(at: places[5], to: path(section, 0))
        for item in 1...4 { changes.insertItems(at: [path(section, item * 9)]) }
        counts[section] += 4
        let old = HierarchyShape(Array(repeating: each, count: sections))
        let update = try changes.validated(from: old, to: HierarchyShape(counts))
        #expect(update.encodedWithoutShape().count <= 100 && update.encoded().count <= 100)
    }
}
