import CollectionChanges
import TestSupport
import Testing

/// Rules of the `texture` profile that the vectors do not cover: its order of checks, its
/// peculiarities, and features that Texture lacks.
@Suite(.endsHangs) struct TextureProfileTests {
    private func update(
        _ old: HierarchyShape,
        _ new: HierarchyShape,
        _ text: String
    ) throws(HierarchyUpdateError) -> ValidatedChangeSet {
        try record(text).validated(from: old, to: new, profile: .texture)
    }

    /// Returns the code with the place and the index of the operation, if there are any.
    private func verdict(_ old: HierarchyShape, _ new: HierarchyShape, _ text: String) -> String {
        let error = rejection(of: try update(old, new, text))
        guard let error else { return "valid" }
        let place = error.path.map { " \($0.section).\($0.item)" } ?? error.section.map { " \($0)" }
        return error.code.rawValue + (place ?? "") + (error.operationIndex.map { " #\($0)" } ?? "")
    }

    /// Each step adds a fault that the original finds before the faults of all previous steps.
    @Test func theFirstFaultInTheOrderOfChecksIsReported() {
        let steps: [(code: String, added: String)] = [
            ("supplementarySectionRange", "H9"), ("reconfigureSectionRange", "CS1+9"),
            ("reconfigureItemRange", "C0.9"), ("itemCount", "I3.0"),
            ("deleteAndReloadItem", "D1.0 R1.0+1.1"), ("insertSectionRange", "DS0 IS20"),
            ("insertItemSectionRange", "I50.0"), ("insertItemRange", "I2.99"),
            ("deleteItemRange", "D2.99"), ("deleteItemSectionRange", "D50.0"),
            ("deleteSectionRange", "DS30 IS21"), ("sectionCount", "IS22"),
            ("reloadWithoutTarget", "R0.0"), ("reloadDeletedSection", "RS0"), ("emptyItemOp", "I"),
        ]
        var text = ""
        for (code, added) in steps {
            text += " " + added
            let found = verdict([2, 2, 2, 2], [2, 2, 2, 2], text)
            #expect(found.split(separator: " ").first.map(String.init) == code, "\(text): \(found)")
        }
        let faults = ["D", "I", "R", "DS", "IS", "RS", "X"]
        for first in faults {
            for second in faults {
                let code =
                    first == "X"
                    ? "reloadDataTwice" : first.count == 1 ? "emptyItemOp" : "emptySectionOp"
                #expect(verdict([1], [0], "X D0.0 \(first) \(second)") == "\(code) #2")
            }
        }
    }

    @Test func everyFaultIsReportedAtItsPlace() {
        let rows: [(HierarchyShape, HierarchyShape, String, String)] = [
            // Operations that the original lacks may be empty.
            ([1], [1], "C CS H", "valid"),
            // The highest delete and the lowest insert are reported.
            ([1], [1], "R0.0+0.9+0.5", "deleteItemRange 0.9 #0"),
            ([1, 1], [1, 1], "D0.9+1.8+1.7", "deleteItemRange 1.8 #0"),
            ([1, 1], [1, 1], "R1.0+1.9 D0.9+1.8+1.7", "deleteItemRange 1.9 #0"),
            ([1, 1], [1, 1], "I1.9+0.7+0.8", "insertItemRange 0.7 #0"),
            // Each insert pushes a reloaded item out of its section.
            ([2], [2], "I0.0 R0.1", "insertItemRange 0.2 #1"),
            ([2, 2], [2, 2], "I0.0+1.0 R0.1+1.1 I1.9", "insertItemRange 0.2 #1"),
            ([2, 2], [2, 2], "I0.0+1.0 R1.1 I0.9", "insertItemRange 0.9 #2"),
            ([2, 2, 2], [2, 1, 1], "D1.0+2.0 R0.0+1.0+2.0", "deleteAndReloadItem 1.0 #1"),
            ([2, 2, 2], [9, 1, 1], "D1.0+2.0 R0.0+1.0+2.0", "itemCount 0"),
            ([1, 1], [], "DS7+5", "deleteSectionRange 5 #0"),
            ([1], [1], "RS9+4", "deleteSectionRange 4 #0"),
            ([1, 1], [1], "DS0 RS0", "reloadDeletedSection 0 #1"),
            ([1], [1, 1], "RS5 IS0", "reloadDeletedSection 5 #0"),
            ([1, 1, 1], [1, 1], "DS2 RS1+2+3+4+5", "reloadDeletedSection 2 #1"),
            ([1], [2], "I0.0 R0.5+0.1+0.6", "reloadWithoutTarget 0.5 #1"),
            ([1], [1], "C0.9+0.5+0.7", "reconfigureItemRange 0.5 #0"),
            ([9, 1], [3], "DS0", "itemCount 1"),
            // The verdict on a reload that vanishes depends on other reloads; one out of range
            // depends on the other edits.
            ([1, 1], [1], "DS0 R0.0", "reloadWithoutTarget 0.0 #1"),
            ([1, 1], [1], "DS0 R0.0+1.0", "valid"),
            ([1, 1], [0, 1], "D0.0 R0.0", "reloadWithoutTarget 0.0 #1"),
            ([1, 1], [0, 1], "D0.0 R0.0+1.0", "deleteAndReloadItem 0.0 #1"),
            ([1], [1], "RS5", "deleteSectionRange 5 #0"),
            ([1], [0, 1], "RS5 IS0", "reloadDeletedSection 5 #0"),
            ([], [], "RS5", "reloadDeletedSection 5 #0"),
            ([1], [1], "R0.5", "deleteItemRange 0.5 #0"),
            ([1], [2], "R0.5 I0.0", "reloadWithoutTarget 0.5 #0"),
            ([0], [0], "R0.5", "reloadWithoutTarget 0.5 #0"),
            // Moves are checked as deletes and inserts.
            ([3], [3], "M0.3>0.9", "deleteItemRange 0.3 #0"),
            ([1, 2], [2, 1], "MS0>1", "valid"),
        ]
        for (old, new, text, expected) in rows {
            #expect(verdict(old, new, text) == expected, "\(text) from \(old) to \(new)")
        }
    }

    // MARK: Accepted records

    @Test(arguments: [Int.min, -1, 0, 99, Int.max])
    func editsInReplacedSectionsAreAbsorbedUnchecked(item: Int) throws {
        let text = "DS0 IS0 RS1 D0.\(item)+1.\(item) I0.\(item)+1.\(item)"
        let result = try update([1, 1], [4, 7], text)
        #expect(result.itemRemovals.isEmpty && result.itemInsertions.isEmpty)
        #expect(result.sectionInsertions.map(\.newItemCount) == [4, 7])
        #expect(result.sectionRemovals.map(\.role) == [.reload, .delete])
        #expect(result.newSection(for: 1) == 1 && result.newPath(for: path(1, 0)) == nil)
    }

    @Test func repeatedEditsAreAppliedOnceWithTheirLastOption() throws {
        let result = try update([3], [3], "D0.1+0.1/2 I0.0/2 R0.2+0.2/2 M0.1>0.0/5 R0.2/6")
        #expect(result.itemRemovals.map(\.path) == [path(0, 2), path(0, 1)])
        #expect(result.itemRemovals.map(\.animation.rawValue) == [6, 5])
        #expect(result.itemInsertions.map(\.path) == [path(0, 0), path(0, 2)])
        #expect(result.itemInsertions.map(\.animation.rawValue) == [5, 6])
        let headers = try update([1, 1], [1, 1], "H0+1/2 F1/5 H1/6").supplementaryReloads
        #expect(headers.map(\.newSection) == [0, 1, 1])
        #expect(headers.map(\.kind) == [.header, .footer, .header])
        #expect(headers.map(\.animation.rawValue) == [2, 5, 6])
        // Compares overlapping sets with a table that later operations overwrite.
        let shape = HierarchyShape(Array(repeating: 1, count: 12))
        var random = SeededNumbers(seed: 7)
        for _ in 0..<300 {
            var expected: [Int: Int] = [:]
            var changes = HierarchyChangeSet()
            for option in 0..<(1 + random.next(below: 8)) {
                let start = random.next(below: 12)
                var sections = SectionSet(start..<(start + 1 + random.next(below: 12 - start)))
                sections.insert(random.next(below: 12))
                for section in sections { expected[section] = option }
                changes.reloadSections(sections, animation: AnimationOption(rawValue: option))
            }
            let result = try changes.validated(from: shape, to: shape, profile: .texture)
            let found = result.sectionRemovals.map { [$0.section, $0.animation.rawValue] }
            #expect(found == expected.sorted { $0.key > $1.key }.map { [$0.key, $0.value] })
        }
    }

    @Test func onlySurvivorsAreReconfigured() throws {
        let result = try update(
            [1, 1, 5, 1],
            [1, 4, 1],
            "DS0 RS1 D2.0 R2.1 M2.2>1.0 CS0+1+2/2 C2.4+0.0/5 CS3/2"
        )
        let found = result.reconfigurations.map {
            "\($0.oldPath) to \($0.newPath) \($0.animation.rawValue)"
        }
        #expect(found == ["2 - 3 to 1 - 2 2", "2 - 4 to 1 - 3 5", "3 - 0 to 2 - 0 2"])
    }

    /// Thirty thousand sets of up to thirty thousand sections: listing them would take longer than
    /// the limit.
    @Test(.endsHangs) func longSetsCostOnlyTheirRuns() throws {
        let shape = HierarchyShape(Array(repeating: 1, count: 30_000))
        var changes = HierarchyChangeSet()
        for number in 0..<30_000 {
            let (animation, last) = (AnimationOption(rawValue: number), 29_999 - number)
            changes.reloadSections(SectionSet(0...last), animation: animation)
            changes.reconfigureSections(SectionSet(0...last), animation: animation)
            changes.reloadSupplementaries(
                ofKind: .header,
                in: SectionSet(0...29_999),
                animation: animation
            )
        }
        let result = try changes.validated(from: shape, to: shape, profile: .texture)
        #expect(result.sectionInsertions.map(\.animation.rawValue) == (0..<30_000).reversed())
        #expect(result.supplementaryReloads.allSatisfy { $0.animation.rawValue == 29_999 })
    }
}
