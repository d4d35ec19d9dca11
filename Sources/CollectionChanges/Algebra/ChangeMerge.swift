/// The state to which two updates from a common state lead together, and the update that leads
/// there from the state after the second one.
///
/// The update `mine` is rebased over the update `theirs`. All decisions are independent of which
/// update is called `mine`, except for the choice of the later one. Rebasing in either direction
/// therefore leads to the same state.
struct ChangeMerge {
    var mine: Side
    var theirs: Side
    let mineIsLater: Bool
    /// The update that leaves everything unchanged that the other update changed; `nil` in a merge
    /// of equals.
    let yielding: YieldingUpdate?
    let oldShape: HierarchyShape
    let marks: Marks
    private(set) var sections: [Section] = []

    /// A section of the merged state.
    struct Section {
        /// The section's index in the common start state, after `mine`, and after `theirs`; -1 if
        /// the section does not exist in that state.
        var old: Int
        var mine: Int
        var theirs: Int
        var content: Content

        enum Content {
            /// The items that both updates leave in the section, and the items that either of them
            /// puts there.
            case joint
            /// The items that the section has after `mine`; all others are gone.
            case mine
            /// The items that the section has after `theirs`, without those that `mine` removes.
            case theirs
            /// The items that the section has after the update that prevails, which alone leaves
            /// the section in place. The yielding update only moves items out of the section.
            case kept
        }
    }

    /// The update over which the other one prevails.
    enum YieldingUpdate {
        case mine
        case theirs
    }

    init(
        _ mine: ValidatedChangeSet,
        _ theirs: ValidatedChangeSet,
        mineIsLater: Bool,
        yielding: YieldingUpdate? = nil
    ) {
        self.mine = Side(mine)
        self.theirs = Side(theirs)
        self.mineIsLater = mineIsLater
        self.yielding = yielding
        oldShape = mine.oldShape
        marks = Marks(mine, besides: self.theirs)
        switch yielding {
        case .mine: kept = Self.keep(&self.mine, self.theirs)
        case .theirs: kept = Self.keep(&self.theirs, self.mine)
        case nil: kept = []
        }
        mergeSections()
        for section in sections {
            let isKept = section.content == .kept
            if section.mine >= 0, section.content != .theirs, !isKept || minePrevails {
                self.mine.participates[section.mine] = true
            }
            if section.theirs >= 0, section.content != .mine, !isKept || !minePrevails {
                self.theirs.participates[section.theirs] = true
            }
        }
    }

    /// Whether `mine` prevails if both updates change the same item or section.
    var minePrevails: Bool { yielding.map { $0 == .theirs } ?? mineIsLater }

    // MARK: Kept sections

    /// The old sections that the yielding update would delete or reload, but that the other update
    /// has changed.
    private(set) var kept: Set<Int> = []

    private static func keep(_ side: inout Side, _ other: Side) -> Set<Int> {
        var kept: Set<Int> = []
        for (old, role) in side.roles.enumerated() where other.roles[old] != .delete {
            let isKept =
                switch role {
                case .delete: other.roles[old] != nil || other.touches(old)
                case .reload: other.roles[old] == .reload || other.changesItems(inOldSection: old)
                default: false
                }
            guard isKept else { continue }
            kept.insert(old)
            side.roles[old] = nil
        }
        return kept
    }

    // MARK: Sections

    /// A section that one of the updates puts at a new position.
    private struct Arrival {
        /// The last old section before it that this update leaves in its place, or -1.
        var anchor: Int
        var section: Section
    }

    private mutating func mergeSections() {
        var first = arrivals(ofMine: !mineIsLater)[...]
        var second = arrivals(ofMine: mineIsLater)[...]
        func place(_ arrivals: inout ArraySlice<Arrival>, before old: Int) {
            while let arrival = arrivals.first, arrival.anchor < old {
                sections.append(arrival.section)
                arrivals.removeFirst()
            }
        }
        for old in oldShape.itemCounts.indices {
            let roles = (mine.roles[old], theirs.roles[old])
            if roles.0 == .delete || roles.1 == .delete { continue }
            if roles.0 == .move || roles.1 == .move { continue }
            place(&first, before: old)
            place(&second, before: old)
            sections.append(section(old))
        }
        place(&first, before: .max)
        place(&second, before: .max)
    }

    private func arrivals(ofMine isMine: Bool) -> [Arrival] {
        let side = isMine ? mine : theirs
        let other = isMine ? theirs : mine
        var result: [Arrival] = []
        var anchor = -1
        for (new, old) in side.oldSections.enumerated() {
            if old < 0 {
                let section = Section(
                    old: -1,
                    mine: isMine ? new : -1,
                    theirs: isMine ? -1 : new,
                    content: isMine ? .mine : .theirs
                )
                result.append(Arrival(anchor: anchor, section: section))
            } else if side.roles[old] != .move {
                anchor = old
            } else if other.roles[old] != .delete,
                other.roles[old] != .move || isMine == minePrevails
            {
                result.append(Arrival(anchor: anchor, section: section(old)))
            }
        }
        return result
    }

    /// Returns the merged section for an old section that neither update deletes.
    private func section(_ old: Int) -> Section {
        let content: Section.Content =
            switch (mine.roles[old] == .reload, theirs.roles[old] == .reload) {
            case (false, false): kept.contains(old) ? .kept : .joint
            case (true, false): .mine
            case (false, true): .theirs
            case (true, true): minePrevails ? .mine : .theirs
            }
        return Section(
            old: old,
            mine: mine.newSections[old],
            theirs: theirs.newSections[old],
            content: content
        )
    }

    // MARK: Items

    enum Placement {
        case gone
        case stays
        case movesAsMine
        case movesAsTheirs
    }

    /// Returns the placement of an item of the common start state.
    func placement(of oldPath: ItemPath) -> Placement {
        placement(ofItemIn: oldPath.section, mine.effect(on: oldPath), theirs.effect(on: oldPath))
    }

    /// Returns the placement of an item of the common start state, given the effect
    /// of each update.
    func placement(
        ofItemIn section: Int,
        _ mineEffect: Side.ItemEffect,
        _ theirsEffect: Side.ItemEffect
    ) -> Placement {
        if case .gone = mineEffect {
            // The other update has moved the item, so the yielding one does not delete it.
            if yielding == .mine, case .moves = theirsEffect { return .movesAsTheirs }
            return .gone
        }
        if case .gone = theirsEffect {
            if yielding == .theirs, case .moves = mineEffect { return .movesAsMine }
            return .gone
        }
        var (canBeMine, canBeTheirs) = (false, false)
        if case .moves(let target) = mineEffect { canBeMine = mine.participates[target.section] }
        if case .moves(let target) = theirsEffect {
            canBeTheirs = theirs.participates[target.section]
        }
        switch (canBeMine, canBeTheirs) {
        case (true, false): return .movesAsMine
        case (false, true): return .movesAsTheirs
        case (true, true): return minePrevails ? .movesAsMine : .movesAsTheirs
        case (false, false):
            // Neither update moves the item, or the target section no longer exists.
            return mine.empties(section) || theirs.empties(section) ? .gone : .stays
        }
    }

    /// The in-place changes that `mine` makes to items, ascending by old path.
    struct Marks {
        private var marks: [Mark]

        struct Mark {
            var path: ItemPath
            var isReload: Bool
            var animation: AnimationOption
        }

        init(_ update: ValidatedChangeSet, besides other: Side) {
            // An item that the other update replaces is not reconfigured.
            marks = update.reconfigurations.lazy.filter { !other.replaces($0.oldPath) }.map {
                Mark(path: $0.oldPath, isReload: false, animation: $0.animation)
            }
            marks += update.itemRemovals.lazy.filter { $0.role == .reload }.map {
                Mark(path: $0.path, isReload: true, animation: $0.animation)
            }
            marks.sort { $0.path < $1.path }
        }

        /// Returns the marks of the items in one section.
        func inSection(_ section: Int) -> ArraySlice<Mark> {
            marks[marks.positions(inSection: section) { $0.path.section }]
        }

        /// Returns the marks of one item.
        func ofItem(at oldPath: ItemPath) -> ArraySlice<Mark> {
            let start = partitionPoint(marks.count) { marks[$0].path >= oldPath }
            let length = partitionPoint(marks.count - start) { marks[start + $0].path > oldPath }
            return marks[start..<(start + length)]
        }
    }

    /// One of the two updates that are merged, with lookup tables.
    struct Side {
        let update: ValidatedChangeSet
        /// The edit of each old section; `nil` if the section stays in place.
        var roles: [EditRole?]
        /// For each new section: the old section that it was or that it replaces, or -1.
        let oldSections: [Int]
        /// For each old section: the new section that it became or that replaces it, or -1.
        private(set) var newSections: [Int]
        /// The edits of items that leave their place, ascending by old path, without reloads.
        let leaving: [ItemEdit]
        /// The edits of items that arrive at a place, ascending by new path, without reloads.
        let arriving: [ItemEdit]
        /// For each new section: whether the items that the update puts into the section are in the
        /// merged state.
        var participates: [Bool]

        enum ItemEffect {
            case gone
            /// The item stays in place and may be reloaded.
            case stays
            case moves(to: ItemPath)
        }

        init(_ update: ValidatedChangeSet) {
            self.update = update
            let oldCount = update.oldShape.numberOfSections
            let newCount = update.newShape.numberOfSections
            roles = Array(repeating: nil, count: oldCount)
            for edit in update.sectionRemovals { roles[edit.section] = edit.role }
            oldSections = update.sectionMapping.carry(Array(0..<oldCount), filling: -1)
            newSections = Array(repeating: -1, count: oldCount)
            for (new, old) in oldSections.enumerated() where old >= 0 { newSections[old] = new }
            leaving = update.itemRemovals.reversed().filter { $0.role != .reload }
            arriving = update.itemInsertions.filter { $0.role != .reload }
            participates = Array(repeating: false, count: newCount)
        }

        /// Returns whether the update puts an item into an old section, or moves one within or out
        /// of it.
        func touches(_ oldSection: Int) -> Bool {
            let new = newSections[oldSection]
            return new >= 0 && !arriving(new).isEmpty
                || leaving(oldSection).contains { $0.associatedWith != nil }
        }

        /// Returns whether the update changes the items of an old section or their order.
        func changesItems(inOldSection section: Int) -> Bool {
            touches(section) || !leaving(section).isEmpty
        }

        /// Returns whether all items of an old section are removed, unless they are moved out.
        func empties(_ oldSection: Int) -> Bool {
            let role = roles[oldSection]
            return role == .delete || role == .reload
        }

        /// Returns whether an item is reloaded by an edit of its own.
        func replaces(_ oldPath: ItemPath) -> Bool {
            update.itemRemoval(at: oldPath)?.role == .reload
        }

        func effect(on oldPath: ItemPath) -> ItemEffect {
            let position = leaving.sortedPosition(of: oldPath) { $0.path }
            return effect(onItemIn: oldPath.section, position.map { leaving[$0] })
        }

        /// Returns the effect on an item, given its edit among those in `leaving`, or `nil` if
        /// there is none.
        func effect(onItemIn section: Int, _ edit: ItemEdit?) -> ItemEffect {
            if let edit { return edit.associatedWith.map { .moves(to: $0) } ?? .gone }
            return empties(section) ? .gone : .stays
        }

        func leaving(_ oldSection: Int) -> ArraySlice<ItemEdit> {
            leaving[leaving.positions(inSection: oldSection) { $0.path.section }]
        }

        func arriving(_ newSection: Int) -> ArraySlice<ItemEdit> {
            arriving[arriving.positions(inSection: newSection) { $0.path.section }]
        }
    }
}
