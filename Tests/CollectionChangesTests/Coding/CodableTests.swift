import CollectionChanges
import Foundation
import TestSupport
import Testing

/// The form that any coder writes: stable, readable, and validated where it is read.
@Suite struct CodableTests {
    @Test func everyRandomUpdateComesBack() throws {
        for seed in UInt64(0)..<Effort.number(1_000, usually: 60) {
            var updates = EncodableUpdates(seed: seed)
            let update = try updates.next()
            let data = try JSONEncoder().encode(update)
            let read = try JSONDecoder().decode(ValidatedChangeSet.self, from: data)
            #expect(ObservedUpdate(read) == ObservedUpdate(update), "seed \(seed)")
        }
    }

    @Test func recordsAndEditsComeBack() throws {
        for seed in UInt64(0)..<Effort.number(1_000, usually: 60) {
            let changes = randomRecord(seed)
            let record = try JSONEncoder().encode(changes)
            #expect(try JSONDecoder().decode(HierarchyChangeSet.self, from: record) == changes)
            let edits = randomEdits(seed)
            let list = try JSONEncoder().encode(edits)
            #expect(try JSONDecoder().decode([HierarchyEdit].self, from: list) == edits)
        }
    }

    @Test func theFormIsTheDocumentedOne() throws {
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: [path(0, 2)])
        changes.insertSections([1])
        changes.moveItem(at: path(1, 0), to: path(1, 1), animation: .fade)
        changes.reconfigureItems(at: [path(0, 0)])
        changes.reloadSupplementaries(ofKind: .header, in: [0])
        let update = try changes.validated(from: [3, 2], to: [2, 6, 1])
        #expect(
            try text(update)
                == #"{"edits":[{"animation":2,"removeItem":[1,0],"role":"move","with":[1,1]},"#
                + #"{"removeItem":[0,2]},{"fresh":5,"insertSection":1},"#
                + #"{"animation":2,"insertItem":[1,1],"role":"move","with":[1,0]}],"#
                + #""from":[3,2],"reconfigured":[{"from":[0,0],"to":[0,0]}],"#
                + #""supplementaries":[{"kind":"header","section":0}],"to":[2,6,1],"version":1}"#
        )
        #expect(
            try text(changes)
                == #"{"operations":[{"deleteItems":[[0,2]]},{"insertSections":[[1,1]]},"#
                + #"{"animation":2,"moveItem":[[1,0],[1,1]]},{"reconfigureItems":[[0,0]]},"#
                + #"{"in":[[0,0]],"reloadSupplementaries":"header"}],"version":1}"#
        )
        let reload = try HierarchyChangeSet([.reloadData()]).validated(from: [3], to: [1])
        #expect(try text(reload) == #"{"from":[3],"reloadData":1,"to":[1],"version":1}"#)
    }

    private func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test(
        arguments: [
            #"{"version":2,"from":[],"to":[]}"#,
            #"{"from":[],"to":[]}"#,
            #"{"version":1,"from":[1],"to":[1],"edits":[{"removeItem":[0,0]}]}"#,
            #"{"version":1,"from":[1],"to":[0],"edits":[{"removeItem":[0,0,0]}]}"#,
            #"{"version":1,"from":[1],"to":[0],"edits":[{"removeItem":[0]}]}"#,
            #"{"version":1,"from":[1],"to":[0],"edits":[{"removeItem":[0,0],"insertItem":[0,0]}]}"#,
            #"{"version":1,"from":[1],"to":[0],"edits":[{}]}"#,
            #"{"version":1,"from":[1],"to":[0],"edits":[{"removeItem":[0,0],"role":"insert"}]}"#,
            #"{"version":1,"from":[1],"to":[0],"edits":[{"removeItem":[0,0],"role":"other"}]}"#,
            #"{"version":1,"from":[1],"to":[0],"empty":true}"#,
            #"{"version":1,"from":[1],"to":[0],"reloadData":1,"edits":[{"removeItem":[0,0]}]}"#,
            #"{"version":1,"from":[1],"to":[1],"empty":true,"reconfigured":[{"from":[0,0],"to":[0,0]}]}"#,
            #"{"version":1,"from":[2],"to":[2],"reconfigured":[{"from":[0,0],"to":[0,1]}]}"#,
            #"{"version":1,"from":[2],"to":[2],"reconfigured":[{"from":[0,7],"to":[0,7]}]}"#,
            #"{"version":1,"from":[2],"to":[2],"supplementaries":[{"kind":"a","section":1}]}"#,
            #"{"version":1,"from":[-1],"to":[-1]}"#,
            #"{"version":1,"from":[9223372036854775807,1],"to":[9223372036854775807,1]}"#,
        ]
    )
    func whatIsNotAnUpdateIsNotRead(_ text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ValidatedChangeSet.self, from: Data(text.utf8))
        }
    }

    @Test func theVerdictOfValidationIsTheUnderlyingError() {
        let text = #"{"version":1,"from":[1],"to":[1],"edits":[{"removeItem":[0,0]}]}"#
        do {
            _ = try JSONDecoder().decode(ValidatedChangeSet.self, from: Data(text.utf8))
            Issue.record("read")
        } catch DecodingError.dataCorrupted(let context) {
            #expect((context.underlyingError as? HierarchyUpdateError)?.code == .itemCount)
        } catch {
            Issue.record("\(error)")
        }
    }
}
