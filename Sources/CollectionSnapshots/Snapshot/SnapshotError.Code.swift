extension SnapshotError {
    /// The name of a fault. New codes may come, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable over releases.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        // What is not there

        /// A section is asked about that is not in the snapshot.
        public static let unknownSection = Code(rawValue: "unknownSection")
        /// Items are to go into a section, or beside an item, that is not in the snapshot.
        public static let unknownDestination = Code(rawValue: "unknownDestination")
        /// Sections are to go beside a section that is not in the snapshot.
        public static let unknownSectionAnchor = Code(rawValue: "unknownSectionAnchor")
        /// An item is moved that is not in the snapshot.
        public static let unknownMovedItem = Code(rawValue: "unknownMovedItem")
        /// An item is moved beside one that is not in the snapshot.
        public static let unknownMoveTarget = Code(rawValue: "unknownMoveTarget")
        /// A section is moved that is not in the snapshot.
        public static let unknownMovedSection = Code(rawValue: "unknownMovedSection")
        /// A section is moved beside one that is not in the snapshot.
        public static let unknownSectionMoveTarget = Code(rawValue: "unknownSectionMoveTarget")
        /// An item is reloaded that is not in the snapshot.
        public static let unknownReloadedItem = Code(rawValue: "unknownReloadedItem")
        /// A section is reloaded that is not in the snapshot.
        public static let unknownReloadedSection = Code(rawValue: "unknownReloadedSection")
        /// An item is reconfigured that is not in the snapshot.
        public static let unknownReconfiguredItem = Code(rawValue: "unknownReconfiguredItem")
        /// Items are appended without a section, and there is none.
        public static let noSections = Code(rawValue: "noSections")

        // What is there twice

        /// An item identifier occurs twice.
        public static let duplicateItems = Code(rawValue: "duplicateItems")
        /// A section identifier occurs twice.
        public static let duplicateSections = Code(rawValue: "duplicateSections")
        /// A section is inserted that is in the snapshot.
        public static let existingSections = Code(rawValue: "existingSections")

        // What refers to itself

        /// Items are inserted beside one of them.
        public static let destinationAmongItems = Code(rawValue: "destinationAmongItems")
        /// Sections are inserted beside one of them.
        public static let destinationAmongSections = Code(rawValue: "destinationAmongSections")
        /// An item is moved beside itself.
        public static let itemMovedToItself = Code(rawValue: "itemMovedToItself")
        /// A section is moved beside itself.
        public static let sectionMovedToItself = Code(rawValue: "sectionMovedToItself")

        // Sizes

        /// There would be more identifiers than a snapshot can number.
        public static let tooManyIdentifiers = Code(rawValue: "tooManyIdentifiers")

        // Outlines

        /// An item of an outline is named that is not in it.
        public static let unknownOutlineItem = Code(rawValue: "unknownOutlineItem")
        /// An item is inserted into an outline that is in it.
        public static let duplicateOutlineItems = Code(rawValue: "duplicateOutlineItems")
    }
}
