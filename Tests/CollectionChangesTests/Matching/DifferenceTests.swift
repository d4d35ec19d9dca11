import TestSupport
import Testing

@testable import CollectionChanges

@Suite struct DifferenceTests {
    // MARK: Exhaustive

    @Test func everyPairOfSmallSequences() throws {
        let length = Effort.number(5, usually: 4)
        var thinning = Thinning(7, full: 5)
        let targets = everySequence(upTo: length)
        // Identifiers are as good as any others, so that those of one side may come in order of first occurrence.
        for old in targets where isCanonical(old) {
            for new in targets where old.count + new.count <= 5 || thinning.takesNext() {
                let profile =
                    (old.count + new.count) % 2 == 0 ? ValidationProfile.strict : .standard
                let options = DifferenceOptions(profile: profile)
                let update = try ValidatedChangeSet(fromIdentifiers: old, to: new, options: options)
                check(update, [old], [new], profile)
            }
        }
    }

    @Test func refusesExactlyTheDuplicates() throws {
        let targets = everySequence(upTo: 4)
        let options = DifferenceOptions(duplicates: .refuse)
        for old in targets where isCanonical(old) {
            for new in targets {
                let expected =
                    duplicate(old).map { ($0, DifferenceError.Code.duplicateOldItem) }
                    ?? duplicate(new).map { ($0, .duplicateNewItem) }
                do throws(DifferenceError) {
                    let update = try ValidatedChangeSet(
                        fromIdentifiers: old,
                        to: new,
                        options: options
                    )
                    #expect(expected == nil, "\(old) to \(new)")
                    check(update, [old], [new], .standard)
                } catch {
                    #expect(error.code == expected?.1, "\(old) to \(new)")
                    #expect(error.firstPath == expected.map { path(0, $0.0.0) }, "\(old) to \(new)")
                    #expect(
                        error.secondPath == expected.map { path(0, $0.0.1) },
                        "\(old) to \(new)"
                    )
                }
            }
        }
    }

    @Test func errorsSayWhatIsWhereAndOnWhichSide() throws {
        func error(_ old: [(Int, [String])], _ new: [(Int, [String])]) -> DifferenceError? {
            do throws(DifferenceError) {
                let options = DifferenceOptions(duplicates: .refuse)
                _ = try ValidatedChangeSet(fromIdentifiers: old, to: new, options: options)
                return nil
            } catch {
                return error
            }
        }
        let (twice, once) = ([(1, ["a", "b"]), (2, ["c", "a"])], [(1, ["a"])])
        let rows = [
            (error(twice, once), "a is at 0 - 0 and at 1 - 1 before the change"),
            (error(once, twice), "a is at 0 - 0 and at 1 - 1 after the change"),
        ]
        for (error, text) in rows {
            #expect(error?.message == "Items must occur once on each side, but \(text)")
        }
        let sections = [(1, ["a"]), (7, []), (7, ["b"])]
        for (error, side) in [
            (error(sections, once), "before"), (error(once, sections), "after"),
        ] {
            #expect(
                error?.message
                    == "Sections must occur once on each side, but 7 is at 1 and at 2 \(side) the change"
            )
            #expect(error?.code == (side == "before" ? .duplicateOldSection : .duplicateNewSection))
            #expect(error?.firstPath == path(1, 0) && error?.secondPath == path(2, 0))
        }
    }

    @Test(arguments: [ValidationProfile.standard, .strict])
    func everyPairOfSmallSectionedStates(_ profile: ValidationProfile) throws {
        var thinning = Thinning(29, full: 3)
        let states = everySectionedState()
        for old in states {
            for new in states where thinning.takesNext() {
                let update = try ValidatedChangeSet(
                    fromIdentifiers: old,
                    to: new,
                    options: DifferenceOptions(profile: profile)
                )
                check(update, old.map(\.1), new.map(\.1), profile)
                let sections = old.indices.compactMap { index in
                    new.firstIndex { $0.0 == old[index].0 }
                }
                let moves = sections.count - longestIncreasing(sections)
                #expect(update.sectionMoveCount == moves, "\(old) to \(new)")
            }
        }
    }

    // MARK: Random

    @Test(arguments: [ValidationProfile.standard, .strict, .texture])
    func randomSectionsWithBlockEdits(_ profile: ValidationProfile) throws {
        for seed in 0..<UInt64(Effort.number(300, usually: 30)) {
            var states = RandomStates(seed: seed)
            let old = states.state(sections: 6, items: seed % 4 == 0 ? 400 : 30)
            let new = states.edited(old)
            let update = try ValidatedChangeSet(
                fromIdentifiers: old.map { ($0.id, $0.items) },
                to: new.map { ($0.id, $0.items) },
                options: DifferenceOptions(profile: profile)
            )
            check(update, old.map(\.items), new.map(\.items), profile, "seed \(seed)")
        }
    }

    @Test func everyKindOfIdentifierGivesTheSame() throws {
        for seed in 0..<UInt64(Effort.number(400, usually: 20)) {
            var states = RandomStates(seed: seed)
            let old = states.state(sections: 3, items: 120)
            let new = states.edited(old)
            func edits<ID: Hashable>(_ make: (Int) -> ID) throws -> [HierarchyEdit] {
                let update = try ValidatedChangeSet(
                    fromIdentifiers: old.map { ($0.id, $0.items.map(make)) },
                    to: new.map { ($0.id, $0.items.map(make)) }
                )
                return Array(update.edits)
            }
            let expected = try edits { $0 }
            #expect(
                try edits { "row \($0) with a text that does not fit inline" } == expected,
                "seed \(seed)"
            )
            #expect(try edits { Colliding(id: $0) } == expected, "seed \(seed)")
            #expect(try edits { [$0] } == expected, "seed \(seed)")
            let lazily = try ValidatedChangeSet(
                fromIdentifiers: old.map { ($0.id, $0.items.lazy.map { $0 }) },
                to: new.map { ($0.id, $0.items.lazy.map { $0 }) }
            )
            #expect(Array(lazily.edits) == expected, "seed \(seed)")
        }
    }

    @Test(arguments: [DifferenceOptions.ContentUpdates.reconfigure, .reload])
    func changedContentsAreUpdatedAndOthersAreNot(
        _ style: DifferenceOptions.ContentUpdates
    ) throws {
        for seed in 0..<UInt64(Effort.number(1_000, usually: 60)) {
            var states = RandomStates(seed: seed)
            let old = states.state(sections: 4, items: 40)
            let new = states.edited(old)
            let oldRows = old.map { ($0.id, $0.items.map { Row(id: $0, revision: 0) }) }
            let newRows = new.map { section in
                (section.id, section.items.map { Row(id: $0, revision: states.isRare() ? 1 : 0) })
            }
            let profile = seed % 2 == 0 ? ValidationProfile.standard : .strict
            let update = try ValidatedChangeSet(
                from: oldRows,
                to: newRows,
                options: DifferenceOptions(contentUpdates: style, profile: profile)
            )
            let comment = "seed \(seed)"
            let difference = update.difference(fromValidationIn: profile)
            #expect(difference == nil, "\(comment)")
            let shown = try update.apply(to: oldRows.map(\.1)) {
                newRows[$0.section].1[$0.item]
            }
            var updated = shown
            for reconfiguration in update.reconfigurations {
                let path = reconfiguration.newPath
                updated[path.section][path.item] = newRows[path.section].1[path.item]
                #expect(shown[path.section][path.item] != updated[path.section][path.item])
            }
            #expect(updated == newRows.map(\.1), "\(comment)")
            #expect(style == .reconfigure || update.reconfigurations.isEmpty, "\(comment)")
        }
    }

    // MARK: Extremes

    @Test(arguments: [0, 1, 2, 100, 1_000])
    func extremeOrdersHaveTheFewestMoves(_ count: Int) throws {
        let rows = Array(0..<count)
        let half = count / 2
        let third = count / 3
        let interleaved = rows.map { $0 % 2 == 0 ? $0 / 2 : half + $0 / 2 }
        let targets: [[Int]] = [
            rows.reversed(), interleaved, Array(rows[half...] + rows[..<half]),
            Array(rows[..<third] + rows[(2 * third)...] + rows[third..<(2 * third)]),
            Array(rows.dropFirst() + rows.prefix(1)), Array(rows.suffix(1) + rows.dropLast()),
            rows.map { $0 + count }, [], Array(repeating: 7, count: count),
            Array(rows.prefix(half)) + Array((count..<(3 * count)))
                + Array(rows.suffix(count - half)),
            rows.filter { $0 < third || $0 > 2 * third },
        ]
        for target in targets {
            let update = try ValidatedChangeSet(fromIdentifiers: rows, to: target)
            check(update, [rows], [target], .standard)
            let back = try ValidatedChangeSet(fromIdentifiers: target, to: rows)
            check(back, [target], [rows], .standard)
        }
    }

    @Test func equalRowsOnly() throws {
        let update = try ValidatedChangeSet(
            fromIdentifiers: Array(repeating: 1, count: 2_000),
            to: Array(repeating: 1, count: 1_500)
        )
        #expect(update.edits.count == 500)
    }

    @Test func duplicateSectionsAreRefused() {
        let options = DifferenceOptions(duplicates: .refuse)
        #expect {
            try ValidatedChangeSet(
                fromIdentifiers: [("a", [1]), ("b", [2])],
                to: [("a", [1]), ("b", [2]), ("a", [3])],
                options: options
            )
        } throws: {
            let error = $0 as? DifferenceError
            return error?.code == .duplicateNewSection && error?.secondPath?.section == 2
                && error?.message.contains("a is at 0 and at 2") == true
        }
    }

    @Test func itemsInTwoSectionsAreRefused() {
        let options = DifferenceOptions(duplicates: .refuse)
        #expect {
            try ValidatedChangeSet(
                fromIdentifiers: [("a", [1]), ("b", [2, 1])],
                to: [("a", [1])],
                options: options
            )
        } throws: {
            let error = $0 as? DifferenceError
            return error?.code == .duplicateOldItem && error?.firstPath == path(0, 0)
                && error?.secondPath == path(1, 1)
        }
    }

    @Test func cancellingAtEveryQuestionThrows() throws {
        var generator = SeededNumbers(seed: 1)
        let old = Array(0..<20_000)
        let new = Array(
            old[..<9_000] + old[9_000..<15_000].shuffled(using: &generator) + old[15_000...]
        )
        for duplicates in [DuplicatePolicy.byOccurrence, .refuse] {
            let options = DifferenceOptions(duplicates: duplicates)
            var questions = 0
            _ = try ValidatedChangeSet(fromIdentifiers: old, to: new, options: options) {
                questions += 1
                return false
            }
            #expect(questions > 10)
            for last in 1...questions {
                var asked = 0
                do throws(DifferenceError) {
                    _ = try ValidatedChangeSet(fromIdentifiers: old, to: new, options: options) {
                        asked += 1
                        return asked == last
                    }
                    Issue.record("question \(last) of \(questions) did not end it")
                } catch {
                    #expect(error.code == .cancelled)
                    #expect(asked == last)
                }
            }
        }
    }
}
