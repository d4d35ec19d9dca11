import CollectionChanges

/// Short words for suites that ask the `texture` profile.
protocol TextureProfileTests {}

extension TextureProfileTests {
    typealias Operation = HierarchyChangeSet.Operation

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
        refusal { () throws(HierarchyUpdateError) in
            try update(operations, from: oldShape, to: newShape)
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
