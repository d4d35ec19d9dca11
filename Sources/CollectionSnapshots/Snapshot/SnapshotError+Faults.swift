// Every fault with its texts. Not inlinable, since nobody waits for a fault.

extension SnapshotError {
    /// Identifiers as UIKit prints a set of them.
    private static func list<ID>(_ ids: [ID], _ open: String, _ close: String) -> String {
        let shown = ids.prefix(10).map { String(describing: $0) }.joined(separator: ", ")
        let rest = ids.count > 10 ? ", … \(ids.count - 10) more" : ""
        return open + shown + rest + close
    }

    private static func invalidParameter(_ condition: String) -> String {
        "Invalid parameter not satisfying: \(condition)"
    }

    // MARK: What is there twice

    @usableFromInline
    static func duplicates<ID>(_ ids: [ID], areSections: Bool) -> SnapshotError {
        let kind = areSections ? "section" : "item"
        return SnapshotError(
            areSections ? .duplicateSections : .duplicateItems,
            "Fatal: supplied \(kind) identifiers are not unique. Duplicate identifiers: "
                + list(ids, "{(", ")}"),
            ids,
            hint: areSections
                ? "Name every section once"
                : "Name every item once; an item is in one section only"
        )
    }

    @usableFromInline
    static func existing<ID>(_ ids: [ID]) -> SnapshotError {
        SnapshotError(
            .existingSections,
            "Diffable data source detected an attempt to insert or append \(ids.count) section"
                + " identifier(s) that already exist(s) in the snapshot. Identifiers in a snapshot"
                + " must be unique. Section identifier(s) that already exist(s): "
                + list(ids, "[", "]"),
            ids,
            hint: "Insert only what indexOfSection(_:) does not find, or move what is there"
        )
    }

    @usableFromInline
    static var tooMany: SnapshotError {
        SnapshotError(
            .tooManyIdentifiers,
            "A snapshot can have \(UInt32.max >> 1) identifiers at most, but more were supplied",
            EmptyCollection<Int>(),
            hint: "Show a part of the data at a time"
        )
    }

    // MARK: What refers to itself

    @usableFromInline
    static func destination<ID>(_ id: ID, among ids: [ID], areSections: Bool) -> SnapshotError {
        let text =
            areSections
            ? "Invalid update: destination for section operation [\(id)] is in the inserted section"
                + " list for update: "
            : "Invalid update: destination for insertion operation [\(id)] is in the insertion"
                + " identifier list for update: "
        return SnapshotError(
            areSections ? .destinationAmongSections : .destinationAmongItems,
            text + list(ids, "[", "]") + ".",
            [id],
            hint: "Name a neighbour that is not inserted itself"
        )
    }

    @usableFromInline
    static func movedToItself<ID>(_ id: ID, isSection: Bool) -> SnapshotError {
        let kind = isSection ? "section" : "item"
        return SnapshotError(
            isSection ? .sectionMovedToItself : .itemMovedToItself,
            "Invalid update: destination for \(kind) move is the same as the source [\(id)] for"
                + " update: move \(kind) \(id) beside \(id).",
            [id],
            hint: "Name another \(kind) to move it beside"
        )
    }

    // MARK: What is not there

    @usableFromInline
    static func unknownSection<ID>(_ id: ID) -> SnapshotError {
        SnapshotError(
            .unknownSection,
            "Section identifier was not found. You can verify the section exists by calling the"
                + " indexOfSectionIdentifier API (which has O(1) performance). The identifier is"
                + " \(id)",
            [id],
            hint: "Ask indexOfSection(_:) first"
        )
    }

    @usableFromInline
    static var noSections: SnapshotError {
        SnapshotError(
            .noSections,
            "There are currently no sections in the data source. Please add a section first.",
            EmptyCollection<Int>(),
            hint: "Call appendSections(_:) before appendItems(_:)"
        )
    }

    @usableFromInline
    static func unknownDestination<ID>(section id: ID) -> SnapshotError {
        SnapshotError(
            .unknownDestination,
            invalidParameter("section != NSNotFound")
                + ". Items can only go into a section of the snapshot, and \(id) is none",
            [id],
            hint: "Append the section first"
        )
    }

    @usableFromInline
    static func unknownDestination<ID>(item id: ID) -> SnapshotError {
        SnapshotError(
            .unknownDestination,
            invalidParameter("section != NSNotFound")
                + ". Items can only go beside an item of the snapshot, and \(id) is none",
            [id],
            hint: "Ask indexOfItem(_:) first"
        )
    }

    @usableFromInline
    static func unknownSectionAnchor<ID>(_ id: ID) -> SnapshotError {
        SnapshotError(
            .unknownSectionAnchor,
            invalidParameter("insertIndex != NSNotFound")
                + ". Sections can only go beside a section of the snapshot, and \(id) is none",
            [id],
            hint: "Ask indexOfSection(_:) first"
        )
    }

    /// Both ends of moves.
    @usableFromInline
    static func unknownMove<ID>(_ id: ID, isTarget: Bool, isSection: Bool) -> SnapshotError {
        let kind = isSection ? "section" : "item"
        let place = isSection ? "Section" : "Index"
        let code: Code =
            switch (isSection, isTarget) {
            case (true, true): .unknownSectionMoveTarget
            case (true, false): .unknownMovedSection
            case (false, true): .unknownMoveTarget
            case (false, false): .unknownMovedItem
            }
        return SnapshotError(
            code,
            invalidParameter("\(isTarget ? "to" : "from")\(place) != NSNotFound")
                + (isTarget
                    ? ". A move must end beside \(kind) of the snapshot, and \(id) is none"
                    : ". Only what is in the snapshot can be moved, and \(kind) \(id) is not"),
            [id],
            hint: "Ask indexOf\(isSection ? "Section" : "Item")(_:) first"
        )
    }

    @usableFromInline
    static func unknownReload<ID>(_ ids: [ID], areSections: Bool) -> SnapshotError {
        SnapshotError(
            areSections ? .unknownReloadedSection : .unknownReloadedItem,
            "Attempted to reload \(areSections ? "section" : "item") identifier that does not exist"
                + " in the snapshot: " + list(ids, "", ""),
            ids,
            hint: "Reload only what the snapshot has; what is new is shown anyway"
        )
    }

    @usableFromInline
    static func unknownReconfigure<ID>(_ ids: [ID]) -> SnapshotError {
        SnapshotError(
            .unknownReconfiguredItem,
            "Attempted to reconfigure item identifier that does not exist in the snapshot: "
                + list(ids, "", ""),
            ids,
            hint: "Reconfigure only what the snapshot has; what is new is shown anyway"
        )
    }

    // MARK: Outlines

    static func outlineDuplicates<ID>(_ ids: [ID]) -> SnapshotError {
        SnapshotError(
            .duplicateOutlineItems,
            "Identifiers in a section snapshot must be unique. Duplicate item identifiers: "
                + list(ids, "{(", ")}"),
            ids,
            hint: "Name every item once, and only items that contains(_:) does not find"
        )
    }

    static func unknownOutline<ID>(_ ids: [ID]) -> SnapshotError {
        SnapshotError(
            .unknownOutlineItem,
            invalidParameter("index != NSNotFound")
                + ". Items must be in the section snapshot, but these are not: "
                + list(ids, "", ""),
            ids,
            hint: "Ask contains(_:) first"
        )
    }
}
