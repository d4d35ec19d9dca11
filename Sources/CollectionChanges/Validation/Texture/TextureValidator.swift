// Validation as Texture does it. It is a type of its own, because nothing but the input and the
// output is common with UIKit's rules: moves are taken apart first, faults show in another order,
// and much is absorbed unchecked. The original judges in two stages, and so do these files: what it
// rejects while operations are submitted is here, what it rejects when the set is completed in
// `Completion`.

/// Judges one change set as Texture's change set would; made for it and dropped afterwards.
///
/// Source: Texture's hierarchy change set with assertions on, so that these are faults too.
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
        if let animation = try checkSubmission() {
            return .reloadingData(from: oldShape, to: newShape, animation: animation)
        }
        return try Completion(operations, from: oldShape, to: newShape).complete()
    }

    /// Throws what the original rejects on submission, in the order of operations; otherwise says
    /// how a reload of everything is animated, if there is one.
    ///
    /// Operations that the original lacks may be empty, as in the other profiles.
    private func checkSubmission() throws(HierarchyUpdateError) -> AnimationOption? {
        var reloadData: AnimationOption?
        for (index, operation) in operations.enumerated() {
            switch operation {
            case .deleteItems(let paths, _), .insertItems(let paths, _), .reloadItems(let paths, _):
                if paths.isEmpty {
                    throw Self.noItems(.emptyItemOp, index, "Leave out operations without items")
                }
            case .deleteSections(let sections, _), .insertSections(let sections, _),
                .reloadSections(let sections, _):
                if sections.isEmpty {
                    throw HierarchyUpdateError(
                        .emptySectionOp,
                        "Request to create _ASHierarchySectionChange with no sections!",
                        operationIndex: index,
                        hint: "Leave out operations without sections"
                    )
                }
            case .reloadData(let animation):
                if reloadData != nil {
                    // The original prints the whole change set after these words; a message of that
                    // length helps nobody, so its place is kept by a placeholder.
                    throw HierarchyUpdateError(
                        .reloadDataTwice,
                        "Attempt to reload data multiple times <description>",
                        operationIndex: index,
                        hint: "Record reloadData once; it covers everything"
                    )
                }
                reloadData = animation
            case .moveItem, .moveSection, .reconfigureItems, .reconfigureSections,
                .reloadSupplementaries:
                break
            }
        }
        return reloadData
    }

    /// Two faults have this text in the original: an operation without items, and a reload none of
    /// whose items has a place, which becomes an insert without items.
    static func noItems(
        _ code: HierarchyUpdateError.Code,
        _ operationIndex: Int,
        path: ItemPath? = nil,
        _ hint: String
    ) -> HierarchyUpdateError {
        HierarchyUpdateError(
            code,
            "Request to create _ASHierarchyItemChange with no items!",
            operationIndex: operationIndex,
            path: path,
            hint: hint
        )
    }
}
