import TestSupport
import Testing

@testable import CollectionChanges

@Suite struct DifferenceTests {
    // MARK: Exhaustive

    @Test func everyPairOfSmallSequencesGivesAMinimalUpdate() throws {
        let length = Effort.number(5, usually: 4)
        var thinning = Thinning(7, full: 5)
        let targets = everySequence(upTo: length)
        // Only the pattern of identifiers matters, so those of the old side occur in canonical
        // order.
        for old in targets where isCanonical(old) {
            for new in targets where old.count + new.count <= 5 || thinning.takesNext() {
                let profile =
                    (old.count + new.count) % 2 == 0 ? ValidationProfile.strict : .standard
                let options = DifferenceOptions(profile: profile)
                let update = try ValidatedChangeSet(fromIdentifiers: old, to: new, options: options)
                check(update, [old], [new], profile)
                let colliding = try ValidatedChangeSet(
                    fromIdentifiers: old.map { Colliding(id: $0) },
                    to: new.map { Colliding(id: $0) },
                    options: options
                )
                if Array(colliding.edits) != Array(update.edits) {
                    Issue.record("\(old) to \(new) with colliding hashes")
                }
            }
        }
    }

    @Test(arguments: [ValidationProfile.standard, .strict])
    func everyPairOfSmallSectionedStatesGivesAMinimalUpdate(_ profile: ValidationProfile) throws {
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
                let moves = sections.count - lengthOfLongestIncreasing(sections)
                let found = update.sectionRemovals.count { $0.role == .move }
                if found != moves { Issue.record("\(old) to \(new): \(found) moves") }
            }
        }
    }

    // MARK: Duplicates

    @Test func onlyDuplicatesAreRejected() throws {
        let targets = everySequence(upTo: 4)
        let options = DifferenceOptions(duplicates: .reject)
        for old in targets where isCanonical(old) {
            for new in targets {
                let expected =
                    duplicate(old).map { ($0, DifferenceError.Code.duplicateOldItem) }
                    ?? duplicate(new).map { ($0, .duplicateNewItem) }
                var found: DifferenceError?
                do throws(DifferenceError) {
                    let update = try ValidatedChangeSet(
                        fromIdentifiers: old,
                        to: new,
                        options: options
                    )
                    check(update, [old], [new], .standard)
                } catch {
                    found = error
                }
                let isRight =
                    found?.code == expected?.1
                    && found?.firstPath == expected.map { path(0, $0.0.0) }
                    && found?.secondPath == expected.map { path(0, $0.0.1) }
                if !isRight { Issue.record("\(old) to \(new): \(found?.message ?? "accepted")") }
            }
        }
    }

    @Test func errorsNameTheDuplicateItsPlacesAndItsSide() {
        func error(_ old: [(Int, [String])], _ new: [(Int, [String])]) -> DifferenceError? {
            do throws(DifferenceError) {
                let options = DifferenceOptions(duplicates: .reject)
                _ = try ValidatedChangeSet(fromIdentifiers: old, to: new, options: options)
                return nil
            } catch {
                return error
            }
        }
        let (twice, once) = ([(1, ["a", "b"]), (2, ["c", "a"])], [(1, ["a"])])
        let sections = [(1, ["a"]), (7, []), (7, ["b"])]
        let rows: [(DifferenceError?, DifferenceError.Code, String, ItemPath, ItemPath)] = [
            (error(twice, once), .duplicateOldItem, "before", path(0, 0), path(1, 1)),
            (error(once, twice), .duplicateNewItem, "after", path(0, 0), path(1, 1)),
            (error(sections, once), .duplicateOldSection, "before", path(1, 0), path(2, 0)),
            (error(once, sections), .duplicateNewSection, "after", path(1, 0), path(2, 0)),
        ]
        for (error, code, side, first, second) in rows {
            let text =
                code.rawValue.hasSuffix("Item")
                ? "Items must occur once on each side, but a is at 0 - 0 and at 1 - 1 \(side)"
                : "Sections must occur once on each side, but 7 is at 1 and at 2 \(side)"
            let isRight =
                error?.code == code && error?.message == text + " the change"
                && error?.firstPath == first && error?.secondPath == second
            #expect(isRight, "\(code.rawValue): \(error?.message ?? "accepted")")
        }
    }

    @Test func equalSectionsAreMatchedByOccurrence() throws {
        let update = try ValidatedChangeSet(
            fromIdentifiers: [("a", [1]), ("b", [2]), ("a", [3])],
            to: [("a", [1]), ("a", [3]), ("a", [4])]
        )
        // Sections at the common end are matched before the others.
        #expect((0..<3).map { update.survivingSection(of: $0) } == [0, nil, 2])
        #expect(update.sectionInsertions.map(\.section) == [1])
    }

    // MARK: Random

    @Test(arguments: [ValidationProfile.standard, .strict, .texture])
    func randomBlockEditsGiveAMinimalUpdate(_ profile: ValidationProfile) throws {
        for seed in 0..<UInt64(Effort.number(300, usually: 40)) {
            var states = RandomStates(seed: seed)
            let old = states.state(sections: 6, items: seed % 4 == 0 ? 400 : 30)
            let new = seed % 8 == 0 ? states.scattered(old) : states.edited(old)
            // In some states a few identifiers occur often.
            let kinds = seed % 5 == 1 ? 12 : Int.max
            func rows(_ state: [RandomStates.Section]) -> [(Int, [Int])] {
                state.map { ($0.id, $0.items.map { $0 % kinds }) }
            }
            /// The same rows as lazily made texts that do not fit inline.
            func texts(_ state: [RandomStates.Section]) -> [(Int, some Collection<String>)] {
                rows(state).map { ($0, $1.lazy.map { "row \($0) with a longer text" }) }
            }
            let options = DifferenceOptions(profile: profile)
            let update = try ValidatedChangeSet(
                fromIdentifiers: rows(old),
                to: rows(new),
                options: options
            )
            check(update, rows(old).map(\.1), rows(new).map(\.1), profile, "seed \(seed)")
            let lazily = try ValidatedChangeSet(
                fromIdentifiers: texts(old),
                to: texts(new),
                options: options
            )
            #expect(Array(lazily.edits) == Array(update.edits), "seed \(seed)")
        }
    }

    @Test(arguments: [DifferenceOptions.ContentUpdates.reconfigure, .reload])
    func onlyChangedContentsAreUpdated(
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
                options: DifferenceOptions(
                    contentUpdates: style,
                    profile: profile,
                    animation: .bottom
                )
            )
            var updated = try update.apply(to: oldRows.map(\.1)) {
                newRows[$0.section].1[$0.item]
            }
            var isNeeded = true
            for reconfiguration in update.reconfigurations {
                let path = reconfiguration.newPath
                let row = newRows[path.section].1[path.item]
                isNeeded = isNeeded && updated[path.section][path.item] != row
                updated[path.section][path.item] = row
            }
            let hasOption =
                update.edits.allSatisfy { $0.animation == .bottom }
                && update.reconfigurations.allSatisfy { $0.animation == .bottom }
            let isRight =
                update.fault(in: profile) == nil && updated == newRows.map(\.1) && isNeeded
                && hasOption && (style == .reconfigure || update.reconfigurations.isEmpty)
            #expect(isRight, "seed \(seed)")
        }
    }
}
