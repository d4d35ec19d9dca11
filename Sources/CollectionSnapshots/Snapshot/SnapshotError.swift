/// The reason that a snapshot rejected an edit or a query: the fault, the identifiers at fault, and
/// a hint.
///
/// When this error is thrown, nothing has changed. `message` contains UIKit's text for the same
/// fault, so that a search for it finds the same advice.
public struct SnapshotError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code of the fault.
    public let code: Code

    /// A sentence that describes the fault, with its values; contains UIKit's text.
    public let message: String

    /// The descriptions of the identifiers at fault, in the order of the call; at most the first
    /// hundred.
    public let identifiers: [String]

    /// A hint for correcting the call.
    public let hint: String

    init<ID>(_ code: Code, _ message: String, _ identifiers: some Sequence<ID>, hint: String) {
        self.code = code
        self.message = message
        self.identifiers = identifiers.prefix(100).map { String(describing: $0) }
        self.hint = hint
    }

    /// The message, the hint and the code.
    public var description: String { "\(message)\n\(hint).\n[\(code.rawValue)]" }

    /// The code of a fault. Later releases may add codes, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code, stable across releases.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        // Unknown identifiers

        /// A query names a section that is not in the snapshot.
        public static let unknownSection = Code(rawValue: "unknownSection")
        /// Items are added to a section, or next to an item, that is not in the snapshot.
        public static let unknownDestination = Code(rawValue: "unknownDestination")
        /// Sections are inserted next to a section that is not in the snapshot.
        public static let unknownSectionAnchor = Code(rawValue: "unknownSectionAnchor")
        /// The moved item is not in the snapshot.
        public static let unknownMovedItem = Code(rawValue: "unknownMovedItem")
        /// An item is moved next to an item that is not in the snapshot.
        public static let unknownMoveTarget = Code(rawValue: "unknownMoveTarget")
        /// The moved section is not in the snapshot.
        public static let unknownMovedSection = Code(rawValue: "unknownMovedSection")
        /// A section is moved next to a section that is not in the snapshot.
        public static let unknownSectionMoveTarget = Code(rawValue: "unknownSectionMoveTarget")
        /// A reloaded item is not in the snapshot.
        public static let unknownReloadedItem = Code(rawValue: "unknownReloadedItem")
        /// A reloaded section is not in the snapshot.
        public static let unknownReloadedSection = Code(rawValue: "unknownReloadedSection")
        /// A reconfigured item is not in the snapshot.
        public static let unknownReconfiguredItem = Code(rawValue: "unknownReconfiguredItem")
        /// Items are appended without naming a section, and the snapshot has no sections.
        public static let noSections = Code(rawValue: "noSections")

        // Duplicates

        /// An item identifier occurs twice.
        public static let duplicateItems = Code(rawValue: "duplicateItems")
        /// A section identifier occurs twice.
        public static let duplicateSections = Code(rawValue: "duplicateSections")
        /// An inserted section is already in the snapshot.
        public static let existingSections = Code(rawValue: "existingSections")

        // References to the moved or inserted element itself

        /// The anchor of an insertion is one of the inserted items.
        public static let destinationAmongItems = Code(rawValue: "destinationAmongItems")
        /// The anchor of an insertion is one of the inserted sections.
        public static let destinationAmongSections = Code(rawValue: "destinationAmongSections")
        /// An item is moved next to itself.
        public static let itemMovedToItself = Code(rawValue: "itemMovedToItself")
        /// A section is moved next to itself.
        public static let sectionMovedToItself = Code(rawValue: "sectionMovedToItself")

        // Sizes

        /// The snapshot would have more identifiers than it can number.
        public static let tooManyIdentifiers = Code(rawValue: "tooManyIdentifiers")

        // Outlines

        /// An item is not in the outline.
        public static let unknownOutlineItem = Code(rawValue: "unknownOutlineItem")
        /// An item that is inserted into an outline is already in it.
        public static let duplicateOutlineItems = Code(rawValue: "duplicateOutlineItems")
    }
}

// Not inlinable: creating an error need not be fast.

extension SnapshotError {
    /// Returns a list of identifiers in UIKit's format of a set.
    private static func list<ID>(_ ids: [ID], _ open: String, _ close: String) -> String {
        let shown = ids.prefix(10).map { String(describing: $0) }.joined(separator: ", ")
        let rest = ids.count > 10 ? ", … \(ids.count - 10) more" : ""
        return open + shown + rest + close
    }

    private static func invalidParameter(_ condition: String) -> String {
        "Invalid parameter not satisfying: \(condition)"
    }

    // MARK: Duplicates

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
            hint: "Insert only what indexOfSection(_:) does not find; move existing sections"
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

    // MARK: References to the element itself

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
                + " update: move \(kind) \(id) next to \(id).",
            [id],
            hint: "Name another \(kind) as the target"
        )
    }

    // MARK: Unknown identifiers

    @usableFromInline
    static func unknownSection<ID>(_ id: ID) -> SnapshotError {
        SnapshotError(
            .unknownSection,
            "Section identifier was not found. You can verify the section exists by calling the"
                + " indexOfSectionIdentifier API (which has O(1) performance). The identifier is"
                + " \(id)",
            [id],
            hint: "Call indexOfSection(_:) first"
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
                + ". Items can only be added to a section of the snapshot, and \(id) is not one",
            [id],
            hint: "Append the section first"
        )
    }

    @usableFromInline
    static func unknownDestination<ID>(item id: ID) -> SnapshotError {
        SnapshotError(
            .unknownDestination,
            invalidParameter("section != NSNotFound")
                + ". Items can only be inserted next to an item of the snapshot; \(id) is not one",
            [id],
            hint: "Call indexOfItem(_:) first"
        )
    }

    @usableFromInline
    static func unknownSectionAnchor<ID>(_ id: ID) -> SnapshotError {
        SnapshotError(
            .unknownSectionAnchor,
            invalidParameter("insertIndex != NSNotFound")
                + ". Sections can only be inserted next to one of the snapshot; \(id) is not in it",
            [id],
            hint: "Call indexOfSection(_:) first"
        )
    }

    /// Returns the error for a moved section or item, or for the target of a move.
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
                    ? ". The target of a move must be in the snapshot, and \(kind) \(id) is not"
                    : ". Only what is in the snapshot can be moved, and \(kind) \(id) is not"),
            [id],
            hint: "Call indexOf\(isSection ? "Section" : "Item")(_:) first"
        )
    }

    @usableFromInline
    static func unknownReload<ID>(_ ids: [ID], areSections: Bool) -> SnapshotError {
        SnapshotError(
            areSections ? .unknownReloadedSection : .unknownReloadedItem,
            "Attempted to reload \(areSections ? "section" : "item") identifier that does not exist"
                + " in the snapshot: " + list(ids, "", ""),
            ids,
            hint: "Reload only what the snapshot contains; new sections and items are shown anyway"
        )
    }

    @usableFromInline
    static func unknownReconfigure<ID>(_ ids: [ID]) -> SnapshotError {
        SnapshotError(
            .unknownReconfiguredItem,
            "Attempted to reconfigure item identifier that does not exist in the snapshot: "
                + list(ids, "", ""),
            ids,
            hint: "Reconfigure only what the snapshot contains; new items are shown anyway"
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
            hint: "Call contains(_:) first"
        )
    }
}
