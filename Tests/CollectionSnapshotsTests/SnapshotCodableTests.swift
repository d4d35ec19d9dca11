import CollectionSnapshots
import Foundation
import TestSupport
import Testing

/// Encoding and decoding of snapshots.
@Suite struct SnapshotCodableTests {
    private func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func read<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws
        -> Value
    {
        try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }

    @Test func aSnapshotIsWrittenInItsDocumentedForm() throws {
        var snapshot = try Snapshot(["today": [1, 2], "older": []])
        #expect(
            try text(snapshot)
                == #"{"sections":[{"id":"today","items":[1,2]},{"id":"older","items":[]}],"version":1}"#
        )
        try snapshot.reloadItems([2])
        try snapshot.reconfigureItems([1])
        try snapshot.reloadSections(["older"])
        let marks =
            #"{"reconfiguredItems":[1],"reloadedItems":[2],"reloadedSections":["older"],"sections""#
        #expect(try text(snapshot).hasPrefix(marks))
    }

    @Test func everySnapshotDecodesWithItsMarks() throws {
        for seed in UInt64(1)...UInt64(Effort.number(300, usually: 40)) {
            var random = SeededNumbers(seed: seed)
            var snapshot = Snapshot()
            for step in 0..<30 {
                let section = "\(random.next(below: 4))"
                try snapshot.appendSections(snapshot.containsSection(section) ? [] : [section])
                try snapshot.appendItems([random.next(below: 20)], toSection: section)
                let items = snapshot.itemIdentifiers
                let item = items[random.next(below: items.count)]
                switch step % 4 {
                case 0: try snapshot.reloadItems([item])
                case 1: try snapshot.reconfigureItems([item])
                case 2: try snapshot.reloadSections([section])
                default: try snapshot.deleteItems([item])
                }
            }
            let decoded: Snapshot = try read(try text(snapshot))
            #expect(decoded == snapshot, "seed \(seed)")
            #expect(decoded.reloadedItemIdentifiers == snapshot.reloadedItemIdentifiers)
            #expect(decoded.reconfiguredItemIdentifiers == snapshot.reconfiguredItemIdentifiers)
            #expect(decoded.reloadedSectionIdentifiers == snapshot.reloadedSectionIdentifiers)
        }
    }

    @Test func anOutlineIsWrittenInItsDocumentedFormAndDecodes() throws {
        var outline = SectionSnapshot<String>()
        try outline.append(["fruit", "bread"])
        try outline.append(["apple", "pear"], to: "fruit")
        try outline.append(["seed"], to: "apple")
        try outline.expand(["fruit", "seed"])
        let written = try text(outline)
        let items = [
            #"{"id":"fruit","isExpanded":true,"level":0}"#, #"{"id":"apple","level":1}"#,
            #"{"id":"seed","isExpanded":true,"level":2}"#, #"{"id":"pear","level":1}"#,
            #"{"id":"bread","level":0}"#,
        ]
        #expect(written == #"{"items":[\#(items.joined(separator: ","))],"version":1}"#)
        let decoded: SectionSnapshot<String> = try read(written)
        #expect(decoded == outline)
        #expect(decoded.visibleItems == ["fruit", "apple", "pear", "bread"])
    }

    @Test(arguments: [
        (#"{"sections":[]}"#, "version"),
        (#"{"version":2,"sections":[]}"#, "the version must be 1, but is 2"),
        (#"{"version":1}"#, "sections"),
        (#"{"version":1,"sections":[{"id":"a"}]}"#, "items"),
        (
            #"{"version":1,"sections":[{"id":"a","items":[1]},{"id":"b","items":[1]}]}"#,
            "unique"
        ),
        (#"{"version":1,"sections":[{"id":"a","items":[]},{"id":"a","items":[]}]}"#, "unique"),
        (#"{"version":1,"sections":[],"reloadedItems":[3]}"#, "3"),
        (#"{"version":1,"sections":[],"reconfiguredItems":[4]}"#, "4"),
        (#"{"version":1,"sections":[],"reloadedSections":["z"]}"#, "z"),
    ])
    func anInvalidSnapshotFailsToDecodeWithItsReason(written: String, reason: String) {
        let error = #expect(throws: DecodingError.self) {
            try read(written, as: Snapshot.self)
        }
        #expect(error.map { "\($0)" }?.contains(reason) == true)
    }

    @Test(arguments: [
        (#"{"version":1,"items":[{"id":1,"level":1}]}"#, "expected a level from 0 to 0, found 1"),
        (#"{"version":1,"items":[{"id":1,"level":-1}]}"#, "found -1"),
        (#"{"version":1,"items":[{"id":1,"level":0},{"id":2,"level":2}]}"#, "from 0 to 1"),
        (#"{"version":1,"items":[{"id":1,"level":0},{"id":1,"level":0}]}"#, "1"),
        (#"{"version":1,"items":[{"id":1,"level":0},{"id":1,"level":1}]}"#, "1"),
        (#"{"items":[]}"#, "version"),
    ])
    func anInvalidOutlineFailsToDecodeWithItsReason(written: String, reason: String) {
        let error = #expect(throws: DecodingError.self) {
            try read(written, as: SectionSnapshot<Int>.self)
        }
        #expect(error.map { "\($0)" }?.contains(reason) == true)
    }
}
