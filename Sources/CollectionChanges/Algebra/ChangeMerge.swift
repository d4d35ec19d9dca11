/// The state that two updates from the same one lead to together, and the way there from after the second.
///
/// What is called mine is rebased over theirs. Everything is decided without regard to which is which, but for which
/// counts as later; so both ways around give the same state.
struct ChangeMerge {
    var mine: Side
    var theirs: Side
    let mineIsLater: Bool
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
        }
    }

    init(_ mine: ValidatedChangeSet, _ theirs: ValidatedChangeSet, mineIsLater: Bool) {
        self.mine = Side(mine)
        self.theirs = Side(theirs)
        self.mineIsLater = mineIsLater
        oldShape = mine.oldShape
        marks = Marks(mine, besides: self.theirs)
        mergeSections()
        for section in sections {
            if section.mine >= 0, section.content != .theirs {
                self.mine.takesPart[section.mine] = true
            }
            if section.theirs >= 0, section.content != .mine {
                self.theirs.takesPart[section.theirs] = true
            }
        }
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
        func place(before old: Int) {
            while let arrival = first.first, arrival.anchor < old {
                sections.append(arrival.section)
                first.removeFirst()
            }
            while let arrival = second.first, arrival.anchor < old {
                sections.append(arrival.section)
                second.removeFirst()
            }
        }
        for old in oldShape.itemCounts.indices {
            let roles = (mine.roles[old], theirs.roles[old])
            if roles.0 == .delete || roles.1 == .delete { continue }
            if roles.0 == .move || roles.1 == .move { continue }
            place(before: old)
            sections.append(section(old))
        }
        place(before: .max)
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
                other.roles[old] != .move || isMine == mineIsLater
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
            case (false, false): .joint
            case (true, false): .mine
            case (false, true): .theirs
            case (true, true): mineIsLater ? .mine : .theirs
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
        placement(
            ofItemIn: oldPath.section,
            mine.fate(of: oldPath),
            theirs.fate(of: oldPath)
        )
    }

    /// Where an item of the state that both start from ends up, by what either does to it.
    func placement(
        ofItemIn section: Int,
        _ mineFate: Side.Fate,
        _ theirsFate: Side.Fate
    ) -> Placement {
        if case .gone = mineFate { return .gone }
        if case .gone = theirsFate { return .gone }
        var (canBeMine, canBeTheirs) = (false, false)
        if case .moves(let target) = mineFate { canBeMine = mine.takesPart[target.section] }
        if case .moves(let target) = theirsFate { canBeTheirs = theirs.takesPart[target.section] }
        switch (canBeMine, canBeTheirs) {
        case (true, false): return .movesAsMine
        case (false, true): return .movesAsTheirs
        case (true, true): return mineIsLater ? .movesAsMine : .movesAsTheirs
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
