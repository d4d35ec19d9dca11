// Updates that no record has to be judged for: everything is replaced, or nothing is.

extension ValidatedChangeSet {
    /// The update that replaces everything.
    package static func reloadingData(
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape,
        animation: AnimationOption = .automatic
    ) -> ValidatedChangeSet {
        let takeOuts = oldShape.itemCounts.indices.reversed().map {
            SectionEdit(section: $0, role: .delete, animation: animation)
        }
        let putIns = newShape.itemCounts.enumerated().map {
            SectionEdit(
                section: $0.offset,
                role: .insert,
                freshItemCount: $0.element,
                animation: animation
            )
        }
        let storage = Storage(
            oldShape: oldShape,
            newShape: newShape,
            isEmpty: false,
            isReloadData: true,
            edits: Edits(
                itemTakeOuts: [],
                sectionTakeOuts: takeOuts,
                sectionPutIns: putIns,
                itemPutIns: []
            ),
            reconfigurations: [],
            supplementaryReloads: [],
            // No section is the same afterwards, whatever its index.
            sections: IndexMapping(
                oldCount: 0,
                newCount: 0,
                takenOut: [],
                putIn: [],
                moves: []
            )
        )
        return ValidatedChangeSet(storage)
    }

    /// The update that edits nothing.
    package static func unchanged(_ shape: HierarchyShape) -> ValidatedChangeSet {
        let storage = Storage(
            oldShape: shape,
            newShape: shape,
            isEmpty: true,
            isReloadData: false,
            edits: Edits(itemTakeOuts: [], sectionTakeOuts: [], sectionPutIns: [], itemPutIns: []),
            reconfigurations: [],
            supplementaryReloads: [],
            sections: IndexMapping(
                oldCount: shape.numberOfSections,
                newCount: shape.numberOfSections,
                takenOut: [],
                putIn: [],
                moves: []
            )
        )
        return ValidatedChangeSet(storage)
    }
}
