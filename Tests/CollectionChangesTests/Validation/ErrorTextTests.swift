import CollectionChanges
import Foundation
import Testing

/// What every fault says, to the letter.
@Suite struct ErrorTextTests {
    @Test(arguments: ErrorTextRow.all)
    func everyFaultBeginsWithWhatIsWrong(_ row: ErrorTextRow) throws {
        let error = try #require(row.error)
        #expect(error.code.rawValue == row.code)
        #expect(error.description == row.text)
    }

    @Test func everySummaryIsOneShortLine() {
        for row in ErrorTextRow.all {
            let summary = row.error?.summary ?? ""
            #expect(!summary.isEmpty && summary.count < 100, "\(row.code)")
            #expect(!summary.contains("\n"), "\(row.code)")
        }
        // Numbers as long as they get, and an edit with a text of several lines.
        let far = ItemPath(section: .max, item: .max)
        var changes = HierarchyChangeSet()
        changes.moveItem(at: far, to: far)
        changes.reloadSupplementaries(ofKind: SupplementaryKind(rawValue: "a\nb"), in: [.max])
        for operation in changes.operations {
            let error = refusal { () throws(HierarchyUpdateError) in
                try HierarchyChangeSet([operation]).validated(from: [1], to: [1])
            }
            let summary = error?.summary ?? ""
            #expect(summary.count == 99 && summary.hasSuffix("…"), "\(summary)")
        }
        let unknown = HierarchyUpdateError(.init(rawValue: "new"), "one\ntwo")
        #expect(unknown.summary == "one two")
    }

    /// Read from the source, so that no new code goes without a text.
    @Test func theTableHasEveryCode() throws {
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/CollectionChanges/Validation")
            .appending(path: "HierarchyUpdateError.Code.swift").standardizedFileURL
        let text = try String(contentsOf: source, encoding: .utf8)
        let codes = text.matches(of: /static let (\w+) = Code/).map { String($0.output.1) }
        #expect(codes.count > 40)
        #expect(Set(codes) == Set(ErrorTextRow.all.map(\.code)))
    }
}
