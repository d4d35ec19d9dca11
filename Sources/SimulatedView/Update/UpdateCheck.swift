import CollectionPipeline

/// The view's own check of an update, independent of the pipeline's validation.
///
/// It applies the edits to the counts alone. It refuses an edit that is out of order or out of
/// range, counts that differ from those of the new map, and a move that does not carry the same
/// element.
///
/// Complexity: O(k + s) for k item edits and s sections, O(s) for each section edit, and one map
/// query per move.
struct UpdateCheck {
    private var counts: [Int]
    private var phase = 0
    private var lastItem: ItemPath?
    private var lastSection: Int?
    private var carriedCounts: [Int: Int] = [:]

    private init(_ shape: HierarchyShape) { counts = shape.itemCounts }

    /// Checks that `edits` lead from one shape to the other in the fixed order; throws the first
    /// fault.
    static func check(
        _ edits: some Sequence<HierarchyEdit>,
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape
    ) throws(ViewRefusal) {
        var check = UpdateCheck(oldShape)
        for (index, edit) in edits.enumerated() { try check.apply(edit, index) }
        guard check.counts == newShape.itemCounts else {
            throw ViewRefusal(
                .wrongCounts,
                "The edits lead to \(HierarchyShape(check.counts)), but the new map has"
                    + " \(newShape)"
            )
        }
    }

    /// Checks that `update` starts from the map `shown`, and that its edits match its maps.
    static func check(_ update: ViewUpdate, shown: ElementMap) throws(ViewRefusal) {
        try check(
            update.changeSet,
            of: update.submission,
            from: update.oldMap,
            to: update.newMap,
            shown: shown
        )
    }

    /// Checks the parts of an update.
    static func check(
        _ changes: ValidatedChangeSet,
        of submission: SubmissionID,
        from oldMap: ElementMap,
        to newMap: ElementMap,
        shown: ElementMap
    ) throws(ViewRefusal) {
        // The shapes alone are not enough: a lost update may have left the counts unchanged.
        guard oldMap.generation == shown.generation, oldMap.shape == shown.shape else {
            throw ViewRefusal(
                .wrongBase,
                "The update \(submission) starts from generation \(oldMap.generation),"
                    + " \(oldMap.shape), but the view shows generation \(shown.generation),"
                    + " \(shown.shape)"
            )
        }
        guard changes.oldShape == shown.shape else {
            throw ViewRefusal(
                .wrongBase,
                "The edits of update \(submission) start from \(changes.oldShape), but the view shows"
                    + " \(shown.shape)"
            )
        }
        guard changes.newShape == newMap.shape else {
            throw ViewRefusal(
                .wrongCounts,
                "The update \(submission) leads to \(changes.newShape), but its map has"
                    + " \(newMap.shape)"
            )
        }
        try check(changes.edits, from: changes.oldShape, to: newMap.shape)
        try checkMoves(of: changes, from: oldMap, to: newMap)
    }

    /// Checks that every moved item is the same element before and after the update.
    static func checkMoves(
        of changes: ValidatedChangeSet,
        from oldMap: ElementMap,
        to newMap: ElementMap
    ) throws(ViewRefusal) {
        for edit in changes.itemInsertions where edit.role == .move {
            guard let oldPath = edit.associatedWith, let element = oldMap.element(at: oldPath),
                newMap.element(at: edit.path) === element
            else {
                throw ViewRefusal(
                    .lostIdentity,
                    "The item moved to \(edit.path) is not the one that was at"
                        + " \(edit.associatedWith.map(\.description) ?? "no path")"
                )
            }
        }
    }

    private mutating func apply(_ edit: HierarchyEdit, _ index: Int) throws(ViewRefusal) {
        switch edit {
        case .removeItem(let item):
            try enter(phase: 0, index)
            if let lastItem, item.path >= lastItem {
                throw outOfOrder(index, "item \(item.path) removed after \(lastItem)")
            }
            guard counts.indices.contains(item.path.section), item.path.item >= 0,
                item.path.item < counts[item.path.section]
            else { throw outOfRange(index, "item \(item.path) removed") }
            counts[item.path.section] -= 1
            lastItem = item.path
        case .removeSection(let section):
            try enter(phase: 1, index)
            if let lastSection, section.section >= lastSection {
                throw outOfOrder(
                    index,
                    "section \(section.section) removed after \(lastSection)"
                )
            }
            guard counts.indices.contains(section.section) else {
                throw outOfRange(index, "section \(section.section) removed")
            }
            let count = counts.remove(at: section.section)
            if section.role == .move, let target = section.associatedWith {
                carriedCounts[target] = count
            }
            lastSection = section.section
        case .insertSection(let section):
            try enter(phase: 2, index)
            if let lastSection, section.section <= lastSection {
                throw outOfOrder(index, "section \(section.section) inserted after \(lastSection)")
            }
            guard section.section >= 0, section.section <= counts.count else {
                throw outOfRange(index, "section \(section.section) inserted")
            }
            counts.insert(
                carriedCounts[section.section] ?? section.newItemCount,
                at: section.section
            )
            lastSection = section.section
        case .insertItem(let item):
            try enter(phase: 3, index)
            if let lastItem, item.path <= lastItem {
                throw outOfOrder(index, "item \(item.path) inserted after \(lastItem)")
            }
            guard counts.indices.contains(item.path.section), item.path.item >= 0,
                item.path.item <= counts[item.path.section]
            else { throw outOfRange(index, "item \(item.path) inserted") }
            counts[item.path.section] += 1
            lastItem = item.path
        }
    }

    private mutating func enter(phase newPhase: Int, _ index: Int) throws(ViewRefusal) {
        guard newPhase >= phase else {
            throw outOfOrder(index, "an edit of run \(newPhase + 1) after one of run \(phase + 1)")
        }
        if newPhase > phase { (phase, lastItem, lastSection) = (newPhase, nil, nil) }
    }

    private func outOfOrder(_ index: Int, _ text: String) -> ViewRefusal {
        ViewRefusal(.wrongOrder, "Edit \(index) is out of order: \(text)")
    }

    private func outOfRange(_ index: Int, _ text: String) -> ViewRefusal {
        ViewRefusal(
            .wrongIndex,
            "Edit \(index) names a place that does not exist: \(text) of \(HierarchyShape(counts))"
        )
    }
}
