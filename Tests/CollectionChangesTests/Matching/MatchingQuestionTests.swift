import Testing

@testable import CollectionChanges

/// How often a difference asks whether to go on: after every so many rows, and not more often.
@Suite struct MatchingQuestionTests {
    private func questionsOfAWalk(_ old: [Int], _ new: [Int]) -> Int {
        var questions = 0
        var matches = RowMatches()
        old.withUnsafeBufferPointer { old in
            new.withUnsafeBufferPointer { new in
                var walk = SectionWalk(
                    IdentifierRules<Int>(),
                    old: old,
                    new: new,
                    oldBase: 0,
                    newBase: 0
                )
                _ = walk.run(&matches) {
                    questions += 1
                    return false
                }
            }
        }
        return questions
    }

    private func questionsOfAMatching(_ old: [[Int]], _ new: [[Int]], walks: Bool) throws -> Int {
        var questions = 0
        _ = try SectionedMatching(
            from: old,
            to: new,
            pairs: walks
                ? old.indices.map { SurvivingSection(oldSection: $0, newSection: $0) } : [],
            rules: IdentifierRules<Int>()
        ) {
            questions += 1
            return false
        }
        return questions
    }

    @Test func rowsThatAreTheSameAreAskedAboutInBatches() {
        for (count, questions) in [(4095, 0), (4096, 1), (8191, 1), (8192, 2)] {
            let rows = Array(0..<count)
            #expect(questionsOfAWalk(rows, rows) == questions, "\(count)")
            // From the end as well.
            #expect(questionsOfAWalk([-1] + rows, [-2] + rows) == questions, "\(count)")
        }
    }

    @Test func stepsAreAskedAboutInBatches() {
        for (count, questions) in [(2047, 0), (2048, 1)] {
            // Two steps for each odd row that is gone, and one for the last.
            let old = Array(0...(2 * count)) + [-1]
            let new = old.filter { $0 % 2 == 0 } + [-2]
            #expect(questionsOfAWalk(old, new) == questions)
        }
    }

    @Test func smallSectionsAreAskedAboutTogether() throws {
        for (count, questions) in [(4095, 0), (4096, 1), (8191, 1), (8192, 2)] {
            let empty = Array(repeating: [Int](), count: count)
            #expect(try questionsOfAMatching(empty, empty, walks: true) == questions, "\(count)")
        }
        let sections = (0..<1000).map { section in (0..<50).map { 50 * section + $0 } }
        // 41 sections have 4100 rows.
        #expect(try questionsOfAMatching(sections, sections, walks: true) == 1000 / 41)
    }

    @Test func leftOverRowsAreAskedAboutInBatches() throws {
        for (count, questions) in [(1024, 1), (4096, 2), (8192, 3)] {
            let rows = Array(0..<count)
            #expect(try questionsOfAMatching([rows], [[-1]], walks: false) == questions)
        }
    }

    @Test func duplicatesAreLookedForInBatches() throws {
        for (count, questions) in [(4095, 0), (4096, 1), (8192, 2)] {
            let rows = Array(0..<count)
            let finder = try DuplicateFinder(IdentifierRules<Int>(), [rows])
            var asked = 0
            let found = try finder.firstDuplicate {
                asked += 1
                return false
            }
            #expect(found == nil)
            #expect(asked == questions, "\(count)")
            guard questions > 0 else { continue }
            let error = #expect(throws: DifferenceError.self) {
                try finder.firstDuplicate(isCancelled: { true })
            }
            #expect(error?.code == .cancelled)
        }
    }

    @Test func everyQuestionOfALongStretchEndsTheSearch() throws {
        let rows = Array(0..<15_000)
        let (old, new) = ([-1] + rows + [-2], [-3] + rows + [-4])
        var questions = 0
        _ = try ValidatedChangeSet(fromIdentifiers: old, to: new) {
            questions += 1
            return false
        }
        #expect(questions >= 3)
        for last in 1...questions {
            var asked = 0
            let error = #expect(throws: DifferenceError.self) {
                try ValidatedChangeSet(fromIdentifiers: old, to: new) {
                    asked += 1
                    return asked == last
                }
            }
            #expect(error?.code == .cancelled)
            #expect(asked == last)
        }
    }
}
