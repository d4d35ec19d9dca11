/// The state that two updates from the same one lead to together, and the way there from after the second.
///
/// What is called mine is rebased over theirs. Everything is decided without regard to which is which, but for which
/// counts as later; so both ways around give the same state.
struct ChangeMerge {
    var mine: Side
    var theirs: Side
    let mineIsLater: Bool
    /// Which of the two does nothing to what the other has changed; nil in a merge of equals.
    let yielding: Yielding?
    let oldShape: HierarchyShape
    let marks: Marks
    private(set) var sections: [Section] = []

    /// A section of the merged state.
    struct Section {
        /// Its index in the state that both start from, after mine, and after theirs; -1 where it is not there.
        var old: Int
        var mine: Int
        var theirs: Int
        var content: Content

        enum Content {
            /// What both leave in it, and what both put there.
            case joint
            /// What is there after mine; all else in it is gone.
            case mine
            /// What is there after theirs, without what mine removes.
            case theirs
            /// What is there after the one that does not yield, which alone leaves the section; of what is in it the
            /// yielding one only moves items out.
            case kept
        }
    }

    /// One of two updates of which the other one prevails.
    enum Yielding {
        case mine
        case theirs
    }

    init(
        _ mine: ValidatedChangeSet,
        _ theirs: ValidatedChangeSet,
        mineIsLater: Bool,
        yielding: Yielding? = nil
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
                self.mine.takesPart[section.mine] = true
            }
            if section.theirs >= 0, section.content != .mine, !isKept || !minePrevails {
                self.theirs.takesPart[section.theirs] = true
            }
        }
    }

    /// Whether mine has its way where both do something to the same.
    var minePrevails: Bool { yielding.map { $0 == .theirs } ?? mineIsLater }

    // MARK: What is kept

    /// The old sections that the yielding one would delete or reload, and that are not as it knows them.
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

    /// A section that one of them puts somewhere.
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

    /// A section that neither deletes.
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

    /// Where an item of the state that both start from ends up.
    func placement(of oldPath: ItemPath) -> Placement {
        placement(ofItemIn: oldPath.section, mine.fate(of: oldPath), theirs.fate(of: oldPath))
    }

    /// Where an item of the state that both start from ends up, by what either does to it.
    func placement(
        ofItemIn section: Int,
        _ mineFate: Side.Fate,
        _ theirsFate: Side.Fate
    ) -> Placement {
        if case .gone = mineFate {
            // What the other one has moved is not as the yielding one knows it.
            if yielding == .mine, case .moves = theirsFate { return .movesAsTheirs }
            return .gone
        }
        if case .gone = theirsFate {
            if yielding == .theirs, case .moves = mineFate { return .movesAsMine }
            return .gone
        }
        var (canBeMine, canBeTheirs) = (false, false)
        if case .moves(let target) = mineFate { canBeMine = mine.takesPart[target.section] }
        if case .moves(let target) = theirsFate { canBeTheirs = theirs.takesPart[target.section] }
        switch (canBeMine, canBeTheirs) {
        case (true, false): return .movesAsMine
        case (false, true): return .movesAsTheirs
        case (true, true): return minePrevails ? .movesAsMine : .movesAsTheirs
        case (false, false):
            // Neither moves it, or there is nowhere to move it to.
            return mine.empties(section) || theirs.empties(section) ? .gone : .stays
        }
    }
}

extension ChangeMerge {
    /// What mine does to items in place, ascending by old path.
    struct Marks {
        private var marks: [Mark]

        struct Mark {
            var path: ItemPath
            var isReload: Bool
            var animation: AnimationOption
        }

        init(_ update: ValidatedChangeSet, besides other: Side) {
            // Of what the other replaces there is nothing left to update.
            marks = update.reconfigurations.lazy.filter { !other.replaces($0.oldPath) }.map {
                Mark(path: $0.oldPath, isReload: false, animation: $0.animation)
            }
            marks += update.itemRemovals.lazy.filter { $0.role == .reload }.map {
                Mark(path: $0.path, isReload: true, animation: $0.animation)
            }
            marks.sort { $0.path < $1.path }
        }

        /// Those of one section.
        func inSection(_ section: Int) -> ArraySlice<Mark> {
            marks[marks.positions(inSection: section) { $0.path.section }]
        }

        /// Those of one item.
        func ofItem(at oldPath: ItemPath) -> ArraySlice<Mark> {
            let start = partitionPoint(marks.count) { marks[$0].path >= oldPath }
            let length = partitionPoint(marks.count - start) { marks[start + $0].path > oldPath }
            return marks[start..<(start + length)]
        }
    }
}
