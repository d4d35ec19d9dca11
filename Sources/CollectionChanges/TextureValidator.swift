/// Validation as Texture does it.
struct TextureValidator {
    let operations: [HierarchyChangeSet.Operation]
    let oldShape: HierarchyShape
    let newShape: HierarchyShape

    init(
        _ operations: [HierarchyChangeSet.Operation],
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape
    ) {
        self.operations = operations
        self.oldShape = oldShape
        self.newShape = newShape
    }

    func validate() throws(HierarchyUpdateError) -> ValidatedChangeSet {
        .reloadingData(from: oldShape, to: newShape)
    }
}
