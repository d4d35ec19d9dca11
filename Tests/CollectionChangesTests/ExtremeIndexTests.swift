import CollectionChanges
import TestSupport
import Testing

/// Any integer may come in anywhere: the answer is a typed error, never a trap, and soon.
@Suite(.endsHangs) struct ExtremeIndexTests {
    private static let extremes = [Int.min, Int.min + 1, -1, Int.max - 1, Int.max]
    private static let hugeSets = [
        SectionSet(0...Int.max), SectionSet(1...Int.max), SectionSet(5...Int.max),
        SectionSet(Int.min...Int.max), SectionSet(Int.min...0), SectionSet(Int.min...(-1)),
        SectionSet([.min, 0, .max]), SectionSet([.min]), SectionSet([.max]),
    ]
    private static let shapes: [HierarchyShape] = [[], [0], [2, 1]]

    @Test(arguments: [ValidationProfile.standard, .strict])
    func extremePathsAreErrors(profile: ValidationProfile) {
        for extreme in Self.extremes {
            let paths = [
                ItemPath(section: extreme, item: 0), ItemPath(section: 0, item: extreme),
                ItemPath(section: extreme, item: extreme),
            ]
            for path in paths {
                let inside = ItemPath(section: 0, item: 0)
                expectRejection(of: .deleteItems([path, path], .none), profile)
                expectRejection(of: .insertItems([path, path], .none), profile)
                expectRejection(of: .reloadItems([path, path], .none), profile)
                expectRejection(of: .reconfigureItems([path, path], .none), profile)
                expectRejection(of: .moveItem(at: path, to: inside, .none), profile)
                expectRejection(of: .moveItem(at: inside, to: path, .none), profile)
                expectRejection(of: .moveItem(at: path, to: path, .none), profile)
            }
            expectRejection(of: .moveSection(extreme, toSection: 0, .none), profile)
            expectRejection(of: .moveSection(0, toSection: extreme, .none), profile)
            expectRejection(of: .moveSection(extreme, toSection: extreme, .none), profile)
        }
    }

    @Test(arguments: [ValidationProfile.standard, .strict])
    func hugeSectionSetsAreErrors(profile: ValidationProfile) {
        for sections in Self.hugeSets {
            for operation in Self.sectionOperations(sections) {
                expectRejection(of: operation, profile)
            }
        }
    }

    @Test func hugeSectionSetsInPairsAreErrors() {
        for first in Self.hugeSets {
            for second in Self.hugeSets {
                for operation in Self.sectionOperations(first) {
                    for other in Self.sectionOperations(second) {
                        expectRejection(of: operation, other, .strict)
                    }
                }
            }
        }
    }

    private static func sectionOperations(
        _ sections: SectionSet
    ) -> [HierarchyChangeSet.Operation] {
        [
            .deleteSections(sections, .none), .insertSections(sections, .none),
            .reloadSections(sections, .none), .reconfigureSections(sections, .none),
            .reloadSupplementaries(.header, in: sections, .none),
        ]
    }

    @Test func mappingsAnswerNilForExtremes() throws {
        var changes = HierarchyChangeSet()
        changes.moveSection(0, toSection: 1)
        changes.moveItem(at: ItemPath(section: 0, item: 0), to: ItemPath(section: 0, item: 0))
        changes.reloadItems(at: [ItemPath(section: 1, item: 0)])
        let update = try changes.validated(from: [2, 1], to: [2, 1])
        for extreme in Self.extremes {
            #expect(update.newSection(for: extreme) == nil)
            #expect(update.oldSection(for: extreme) == nil)
            for path in [
                ItemPath(section: extreme, item: 0), ItemPath(section: 0, item: extreme),
            ] {
                #expect(update.newPath(for: path) == nil)
                #expect(update.oldPath(for: path) == nil)
            }
        }
    }

    @Test func sumsThatLeaveTheIntegersAreErrors() {
        var changes = HierarchyChangeSet()
        changes.insertItems(at: [ItemPath(section: 0, item: 0)])
        do {
            _ = try changes.validated(
                from: [.max],
                to: [1],
                limits: ShapeLimits(sections: .max, items: .max)
            )
            Issue.record("accepted")
        } catch {
            #expect(error.code == .itemCount)
            #expect(error.arithmetic?.expected != 1)
        }
    }

    @Test func hugeSectionsCostNothing() throws {
        let limits = ShapeLimits(sections: .max, items: .max)
        var changes = HierarchyChangeSet()
        let last = ItemPath(section: 0, item: .max - 1)
        changes.moveItem(at: last, to: ItemPath(section: 0, item: 0))
        let update = try changes.validated(from: [.max], to: [.max], limits: limits)
        #expect(update.newPath(for: last) == ItemPath(section: 0, item: 0))
        #expect(update.oldPath(for: last) == ItemPath(section: 0, item: .max - 2))
        var reload = HierarchyChangeSet()
        reload.reloadData()
        let reloaded = try reload.validated(from: [.max], to: [1, .max - 1], limits: limits)
        #expect(reloaded.sectionInsertions.map(\.freshItemCount) == [1, .max - 1])
    }

    private func expectRejection(
        of operations: HierarchyChangeSet.Operation...,
        profile: ValidationProfile
    ) {
        for old in Self.shapes {
            for new in Self.shapes {
                let changes = HierarchyChangeSet(operations)
                do {
                    _ = try changes.validated(from: old, to: new, profile: profile)
                    Issue.record("accepted \(operations) from \(old) to \(new)")
                } catch {
                    if error.description.isEmpty { Issue.record("no description") }
                }
            }
        }
    }

    private func expectRejection(
        of operation: HierarchyChangeSet.Operation,
        _ profile: ValidationProfile
    ) {
        expectRejection(of: operation, profile: profile)
    }

    private func expectRejection(
        of operation: HierarchyChangeSet.Operation,
        _ other: HierarchyChangeSet.Operation,
        _ profile: ValidationProfile
    ) {
        expectRejection(of: operation, other, profile: profile)
    }
}
