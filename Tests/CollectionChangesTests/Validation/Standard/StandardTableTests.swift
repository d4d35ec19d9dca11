import CollectionChanges
import Testing

/// The table "operation combination → verdict" of modern and early UIKit, row by row, with what
/// this library decides where UIKit detects nothing or depends on what is visible.
@Suite struct StandardTableTests {
    @Test(arguments: TableRow.all)
    func rowGivesItsVerdict(row: TableRow) {
        check(row, .standard, row.standard)
        check(row, .strict, row.strict)
    }

    @Test func everyRowAboutValidationIsThere() {
        #expect(Set(TableRow.all.map(\.number)) == Set(1...39))
    }

    private func check(
        _ row: TableRow,
        _ profile: ValidationProfile,
        _ expected: TableRow.Verdict
    ) {
        do {
            let update = try row.changes.validated(from: row.old, to: row.new, profile: profile)
            #expect(expected.code == nil, "\(profile) accepts \(row)")
            #expect(update.newShape == row.new)
        } catch {
            #expect(error.code == expected.code, "\(profile), \(row): \(error)")
            #expect(error.message.contains(expected.text), "\(profile), \(row): \(error)")
            #expect(error.oldShape == row.old && error.newShape == row.new)
        }
    }
}
