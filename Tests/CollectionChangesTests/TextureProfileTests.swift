import CollectionChanges

/// Short words for suites that ask the `texture` profile.
protocol TextureProfileTests {}

extension TextureProfileTests {
    typealias Operation = HierarchyChangeSet.Operation

    func path(_ section: Int, _ item: Int) -> ItemPath { ItemPath(section: section, item: item) }

    /// A set of one run, which may be too long to be listed.
    func sections(_ range: ClosedRange<Int>) -> SectionSet {
        var sections = SectionSet()
        sections.insert(contentsOf: range)
        return sections
    }

    func update(
        _ operations: [Operation],
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape
    ) throws(HierarchyUpdateError) -> ValidatedChangeSet {
        try HierarchyChangeSet(operations)
            .validated(from: oldShape, to: newShape, profile: .texture)
    }

    func fault(
        _ operations: [Operation],
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape
    ) -> HierarchyUpdateError? {
        do {
            _ = try update(operations, from: oldShape, to: newShape)
            return nil
        } catch {
            return error
        }
    }

    /// The name of the fault, or "valid".
    func verdict(
        _ operations: [Operation],
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape
    ) -> String {
        fault(operations, from: oldShape, to: newShape)?.code.rawValue ?? "valid"
    }
}
