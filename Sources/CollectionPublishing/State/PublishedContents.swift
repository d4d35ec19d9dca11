import PersistentTrees

/// What an update brings that the change set does not say: which sections and items are fresh, and what changed shows.
///
/// Everything stands in the order of the change set's runs.
public struct PublishedContents: Hashable, Sendable {
    /// A section that an update inserts or reloads, with the items that it arrives with, ascending.
    public struct FreshSection: Hashable, Sendable {
        /// The section.
        public var section: PublishedSection
        /// Its items but those that are inserted one by one.
        public var items: [PublishedItem]

        /// Makes a fresh section; nothing is checked.
        public init(section: PublishedSection, items: [PublishedItem] = []) {
            self.section = section
            self.items = items
        }
    }

    /// A section that stays, and whose payload is another.
    public struct ChangedSection: Hashable, Sendable {
        /// Its new index.
        public var newIndex: Int
        /// What it is now; the number as before.
        public var section: PublishedSection

        /// Makes a changed section; nothing is checked.
        public init(newIndex: Int, section: PublishedSection) {
            self.newIndex = newIndex
            self.section = section
        }
    }

    /// One for each section that is inserted or reloaded, ascending by new index.
    public var freshSections: [FreshSection]

    /// One for each item that is inserted or reloaded by itself, ascending by new path.
    public var insertedItems: [PublishedItem]

    /// One for each reconfiguration, ascending by new path; the numbers as before.
    public var changedItems: [PublishedItem]

    /// Those whose headers were reloaded, ascending by new index.
    public var changedSections: [ChangedSection]

    /// Makes contents; nothing is checked.
    public init(
        freshSections: [FreshSection] = [],
        insertedItems: [PublishedItem] = [],
        changedItems: [PublishedItem] = [],
        changedSections: [ChangedSection] = []
    ) {
        self.freshSections = freshSections
        self.insertedItems = insertedItems
        self.changedItems = changedItems
        self.changedSections = changedSections
    }

    /// How many sections and items there are.
    public var count: Int {
        freshSections.reduce(0) { $0 + 1 + $1.items.count } + insertedItems.count
            + changedItems.count + changedSections.count
    }
}

extension PublishedContents {
    /// What `changeSet` brings, of the state that it leads to.
    ///
    /// Complexity: O(k log n) for k edits, fresh items and reconfigurations.
    package init(of changeSet: ValidatedChangeSet, in state: PublishedState) {
        self.init()
        for edit in changeSet.sectionInsertions where edit.role != .move {
            let entry = state.entries[edit.section]
            var items: [PublishedItem] = []
            items.reserveCapacity(edit.freshItemCount)
            for run in changeSet.freshItems(ofSection: edit) {
                var iterator = entry.items.makeIterator(from: run.lowerBound)
                for _ in run { if let item = iterator.next() { items.append(item) } }
            }
            freshSections.append(FreshSection(section: entry.section, items: items))
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

    /// Whether these are contents for `changeSet`, as far as can be told without a state: one for each place.
    func fit(_ changeSet: ValidatedChangeSet) -> Bool {
        let freshCounts = changeSet.sectionInsertions.filter { $0.role != .move }
            .map(\.freshItemCount)
        return freshSections.map(\.items.count) == freshCounts
            && insertedItems.count == changeSet.itemInsertions.count { $0.role != .move }
            && changedItems.count == changeSet.reconfigurations.count
            && changedSections.map(\.newIndex) == changeSet.changedSections
    }
}

extension ValidatedChangeSet {
    /// The new indexes of the sections whose headers are asked for again and that are not fresh, ascending.
    package var changedSections: [Int] {
        supplementaryReloads.compactMap { reload in
            guard reload.kind == .header else { return nil }
            let insertion = sectionInsertion(at: reload.newSection)
            return insertion == nil || insertion?.role == .move ? reload.newSection : nil
        }
    }
}

extension HierarchyChangeSet {
    /// The update of a state of `shape`, which has all of its places, where nothing comes, goes or moves.
    func inPlace(in shape: HierarchyShape) -> ValidatedChangeSet {
        do {
            let limits = ShapeLimits(sections: .max, items: .max)
            return try validated(from: shape, to: shape, limits: limits)
        } catch {
            fatalError("places that change must be places of the state: \(error)")
        }
    }
}
