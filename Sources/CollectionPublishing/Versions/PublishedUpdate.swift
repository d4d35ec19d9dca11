import PersistentTrees

/// The changes between two versions of one history: the edits, and the contents that they insert or
/// change.
///
/// An update comes from one update of the controller, or from several: when they are faster than
/// the hub's announcements, or when a reader has missed some. All readers that need an update share
/// one value. Two readers of windows may receive different updates between the same versions.
public struct PublishedUpdate: Sendable {
    /// The version that the update starts from. A reader must have this version to apply the
    /// update.
    public let from: PublishedVersion

    /// The version that the update leads to, in the same history. It is later than `from`, except
    /// that an update with a ``place`` may lead to `from` itself.
    public let to: PublishedVersion

    /// The edits, in the fixed order, from the shape at `from`; empty if only the version changes.
    public let changeSet: ValidatedChangeSet

    /// The new and changed sections and items.
    public let contents: PublishedContents

    /// The digest of the resulting state. Updates have it at intervals
    /// (``HubConfiguration/digestInterval``); an update for a reader that has missed some always
    /// has it. Otherwise `nil`.
    public let digest: StateDigest?

    /// The position of the window in the list after the update; `nil` for a reader of the whole
    /// list. If only the window has changed, this may be the only change, and `to` may equal
    /// `from`.
    public let place: WindowPlace?

    /// Creates an update, for example one that was decoded. Nothing is checked.
    public init(
        from: PublishedVersion,
        to: PublishedVersion,
        changeSet: ValidatedChangeSet,
        contents: PublishedContents,
        digest: StateDigest? = nil,
        place: WindowPlace? = nil
    ) {
        self.from = from
        self.to = to
        self.changeSet = changeSet
        self.contents = contents
        self.digest = digest
        self.place = place
    }

    /// A sentence that says that the contents do not fit the edits; `nil` if they fit.
    var mismatch: String? {
        if contents.fit(changeSet) { return nil }
        return "the update to \(to) must have one content for each new or changed place, but"
            + " has others"
    }
}

extension PublishedUpdate: CustomStringConvertible {
    /// One line for a log: the versions, the number of changes and the resulting totals, such as
    /// `update from 00c0ffee00c0ffee.12 to 00c0ffee00c0ffee.13: 2 edits, 1 change in place; 1
    /// section with 4 items`.
    public var description: String {
        let inPlace = contents.changedItems.count + contents.changedSections.count
        let edits = counted(changeSet.edits.count, "edit") + ", " + counted(inPlace, "change")
        let totals = changeSet.newShape.totals + (place?.remark ?? "")
        return "update from \(from) to \(to): \(edits) in place; \(totals)"
    }
}

/// A state together with its version and digest.
public struct PublishedSnapshot: Sendable, CustomStringConvertible {
    /// The version of the state.
    public let version: PublishedVersion

    /// The state.
    public let state: PublishedState

    /// The digest of the state.
    public let digest: StateDigest

    /// The position of the window in the list; `nil` if the state is that of the whole list.
    public let place: WindowPlace?

    /// Creates a snapshot, for example one that was decoded. Nothing is checked.
    public init(
        version: PublishedVersion,
        state: PublishedState,
        digest: StateDigest,
        place: WindowPlace? = nil
    ) {
        self.version = version
        self.state = state
        self.digest = digest
        self.place = place
    }

    /// One line for a log: the totals and the version, such as `1 section with 3 items at
    /// 00c0ffee00c0ffee.12`.
    public var description: String { "\(state.shape.totals) at \(version)\(place?.remark ?? "")" }
}

extension WindowPlace {
    fileprivate var remark: String {
        ", of \(counted(totalSections, "section")) with \(counted(totalItems, "item"))"
    }
}

/// The contents of the new and changed sections and items of an update. The change set has only
/// their places.
///
/// The lists are in the order of the change set's runs.
public struct PublishedContents: Hashable, Sendable {
    /// A section that an update inserts or reloads, with the items that it is inserted with, in
    /// ascending order.
    public struct InsertedSection: Hashable, Sendable {
        /// The section.
        public var section: PublishedSection
        /// The items of the section, except those that the update inserts individually.
        public var items: [PublishedItem]

        /// Creates a new section. Nothing is checked.
        public init(section: PublishedSection, items: [PublishedItem] = []) {
            self.section = section
            self.items = items
        }
    }

    /// A section that the update keeps, with a changed payload.
    public struct ChangedSection: Hashable, Sendable {
        /// The new index of the section.
        public var newIndex: Int
        /// The changed section. Its number is the same as before.
        public var section: PublishedSection

        /// Creates a changed section. Nothing is checked.
        public init(newIndex: Int, section: PublishedSection) {
            self.newIndex = newIndex
            self.section = section
        }
    }

    /// The inserted or reloaded sections, ascending by new index.
    public var insertedSections: [InsertedSection]

    /// The items that are inserted or reloaded individually, ascending by new path.
    public var insertedItems: [PublishedItem]

    /// The reconfigured items, ascending by new path. Their numbers are the same as before.
    public var changedItems: [PublishedItem]

    /// The sections whose headers were reloaded, ascending by new index.
    public var changedSections: [ChangedSection]

    /// Creates contents. Nothing is checked.
    public init(
        insertedSections: [InsertedSection] = [],
        insertedItems: [PublishedItem] = [],
        changedItems: [PublishedItem] = [],
        changedSections: [ChangedSection] = []
    ) {
        self.insertedSections = insertedSections
        self.insertedItems = insertedItems
        self.changedItems = changedItems
        self.changedSections = changedSections
    }

    /// The number of sections and items in the contents.
    public var count: Int {
        insertedSections.reduce(0) { $0 + 1 + $1.items.count } + insertedItems.count
            + changedItems.count + changedSections.count
    }
}

extension PublishedContents {
    /// Creates the contents of `changeSet` from the state that it leads to.
    ///
    /// Complexity: O(k log n) for k edits, new items and reconfigurations.
    package init(of changeSet: ValidatedChangeSet, in state: PublishedState) {
        self.init()
        for edit in changeSet.sectionInsertions where edit.role != .move {
            let entry = state.entries[edit.section]
            var items: [PublishedItem] = []
            items.reserveCapacity(edit.newItemCount)
            for run in changeSet.newItems(ofSection: edit) {
                var iterator = entry.items.makeIterator(from: run.lowerBound)
                for _ in run { if let item = iterator.next() { items.append(item) } }
            }
            insertedSections.append(InsertedSection(section: entry.section, items: items))
        }
        for edit in changeSet.itemInsertions where edit.role != .move {
            insertedItems.append(state.entries[edit.path.section].items[edit.path.item])
        }
        changedItems = changeSet.reconfigurations.map {
            state.entries[$0.newPath.section].items[$0.newPath.item]
        }
        changedSections = changeSet.changedSections.map {
            ChangedSection(newIndex: $0, section: state.entries[$0].section)
        }
    }

    /// Returns whether the contents have one entry for each place that `changeSet` fills or
    /// changes. Without a state, nothing more can be checked.
    func fit(_ changeSet: ValidatedChangeSet) -> Bool {
        let insertedCounts = changeSet.sectionInsertions.filter { $0.role != .move }
            .map(\.newItemCount)
        return insertedSections.map(\.items.count) == insertedCounts
            && insertedItems.count == changeSet.itemInsertions.count { $0.role != .move }
            && changedItems.count == changeSet.reconfigurations.count
            && changedSections.map(\.newIndex) == changeSet.changedSections
    }
}

extension ValidatedChangeSet {
    /// The new indexes of the existing sections whose headers are reloaded, ascending. Sections
    /// that are inserted or reloaded are not among them.
    package var changedSections: [Int] {
        supplementaryReloads.compactMap { reload in
            guard reload.kind == .header else { return nil }
            let insertion = sectionInsertion(at: reload.newSection)
            return insertion == nil || insertion?.role == .move ? reload.newSection : nil
        }
    }
}

extension HierarchyChangeSet {
    /// Returns an update that consists of in-place changes to a state of `shape`. `shape` must have
    /// all of their places.
    func inPlace(in shape: HierarchyShape) -> ValidatedChangeSet {
        do {
            let limits = ShapeLimits(sections: .max, items: .max)
            return try validated(from: shape, to: shape, limits: limits)
        } catch {
            fatalError("places that change must exist in the state: \(error)")
        }
    }
}
