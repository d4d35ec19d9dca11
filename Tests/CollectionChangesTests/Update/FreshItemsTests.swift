import CollectionChanges
import Testing

/// What a section arrives with is what is not put into it singly.
@Suite struct FreshItemsTests {
    @Test func freshItemsAreThosePathsthatNoInsertionFills() throws {
        var sections = 0
        for seed in UInt64(0)..<600 {
            var records = RandomRecords(seed: seed)
            let draw = records.valid(sections: 4, items: 5)
            let update = try draw.changes.validated(from: draw.old, to: draw.new)
            for edit in update.sectionInsertions {
                let filled = Set(update.itemInsertions.map(\.path))
                let fresh = draw.new.paths.filter {
                    edit.role != .move && $0.section == edit.section && !filled.contains($0)
                }
                let runs = update.freshItems(ofSection: edit)
                let isRight =
                    update.freshPaths(ofSection: edit) == fresh
                    && runs.flatMap { Array($0) } == fresh.map(\.item)
                    && runs.allSatisfy { !$0.isEmpty }
                    && zip(runs, runs.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
                if !isRight { Issue.record("seed \(seed): \(edit), \(runs)") }
                if !fresh.isEmpty { sections += 1 }
            }
        }
        #expect(sections > 100)
    }

    @Test func sectionThatDoesNotExistHasNone() {
        let update = ValidatedChangeSet.unchanged([1])
        let edit = SectionEdit(section: 1, role: .insert)
        #expect(update.freshItems(ofSection: edit).isEmpty)
        #expect(update.freshPaths(ofSection: edit).isEmpty)
    }
}
