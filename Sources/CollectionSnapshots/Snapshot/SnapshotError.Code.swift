extension SnapshotError {
    /// The name of a fault. New codes may come, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable over releases.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ name: String) { rawValue = name }

        // What is not there

        /// A section is asked about that is not in the snapshot.
        public static let unknownSection = Code("unknownSection")
        /// Items are to go into a section, or beside an item, that is not in the snapshot.
        public static let unknownDestination = Code("unknownDestination")
        /// Sections are to go beside a section that is not in the snapshot.
        public static let unknownSectionAnchor = Code("unknownSectionAnchor")
        /// An item is moved that is not in the snapshot.
        public static let unknownMovedItem = Code("unknownMovedItem")
        /// An item is moved beside one that is not in the snapshot.
        public static let unknownMoveTarget = Code("unknownMoveTarget")
        /// A section is moved that is not in the snapshot.
        public static let unknownMovedSection = Code("unknownMovedSection")
        /// A section is moved beside one that is not in the snapshot.
        public static let unknownSectionMoveTarget = Code("unknownSectionMoveTarget")
        /// An item is reloaded that is not in the snapshot.
        public static let unknownReloadedItem = Code("unknownReloadedItem")
        /// A section is reloaded that is not in the snapshot.
        public static let unknownReloadedSection = Code("unknownReloadedSection")
        /// An item is reconfigured that is not in the snapshot.
        public static let unknownReconfiguredItem = Code("unknownReconfiguredItem")
        /// Items are appended without a section, and there is none.
        public static let noSections = Code("noSections")

        // What is there twice

        /// An item identifier occurs twice.
        public static let duplicateItems = Code("duplicateItems")
        /// A section identifier occurs twice.
        public static let duplicateSections = Code("duplicateSections")
        /// A section is inserted that is in the snapshot.
        public static let existingSections = Code("existingSections")

        // What refers to itself

        /// Items are inserted beside one of them.
        public static let destinationAmongItems = Code("destinationAmongItems")
        /// Sections are inserted beside one of them.
        public static let destinationAmongSections = Code("destinationAmongSections")
        /// An item is moved beside itself.
        public static let itemMovedToItself = Code("itemMovedToItself")
        /// A section is moved beside itself.
        public static let sectionMovedToItself = Code("sectionMovedToItself")

        // Sizes

        /// There would be more identifiers than a snapshot can number.
        public static let tooManyIdentifiers = Code("tooManyIdentifiers")

        // Outlines

        /// An item of an outline is named that is not in it.
        public static let unknownOutlineItem = Code("unknownOutlineItem")
        /// An item is inserted into an outline that is in it.
        public static let duplicateOutlineItems = Code("duplicateOutlineItems")
    }
}
