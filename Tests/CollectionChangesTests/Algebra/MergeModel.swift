import CollectionChanges

/// The model of rebasing: a state in which every element has a name, including new ones, so that
/// both orders can be compared.
struct MergeModel: CustomStringConvertible {
    enum Named<Location: Hashable>: Hashable {
        case old(Location)
        case inserted(isMine: Bool)
        case replacement(Location)

        /// Whether both may be the same element. A reload and a move of the same element can be
        /// recorded only as a delete and an insert, and the order decides which reload is the last.
        func matches(_ other: Self) -> Bool {
            switch (self, other) {
            case (.inserted, .replacement), (.replacement, .inserted): true
            default: self == other
            }
        }
    }

    typealias Name = Named<ItemPath>
    typealias SectionName = Named<Int>

    struct Section {
        var name: SectionName
        var items: [Name]
    }

    var sections: [Section] = []

    var description: String {
        sections.map { "\($0.name): \($0.items)" }.joined(separator: "; ")
    }

    func matches(_ other: MergeModel) -> Bool {
        sections.count == other.sections.count
            && zip(sections, other.sections).allSatisfy { left, right in
                left.name.matches(right.name) && left.items.count == right.items.count
                    && zip(left.items, right.items).allSatisfy { $0.matches($1) }
            }
    }

    // MARK: In sequence

    /// Makes the state after an update and then the rebased form of the other one.
    init(_ first: ValidatedChangeSet, then second: ValidatedChangeSet, isMineFirst: Bool) {
        func name<Location: Hashable>(
            _ old: Location?,
            _ replaced: Location?,
            _ creator: Int?
        ) -> Named<Location> {
            if let old { return .old(old) }
            if let replaced { return .replacement(replaced) }
            return .inserted(isMine: (creator == 0) == isMineFirst)
        }
        sections = AlgebraModel(after: [first, second]).sections.map { section in
            Section(
                name: name(section.origin, section.replaced, section.creator),
                items: section.items.map { name($0.origin, $0.replaced, $0.creator) }
            )
        }
    }

    // MARK: Merged

    private init() {}

    /// One of the updates, with queries for single elements.
    private struct Side {
        let update: ValidatedChangeSet
        let isMine: Bool

        func role(ofSection old: Int) -> EditRole? {
            update.sectionRemovals.first { $0.section == old }?.role
        }

        func empties(_ old: Int) -> Bool { [.delete, .reload].contains(role(ofSection: old)) }

        func removal(_ old: ItemPath) -> ItemEdit? { update.itemRemovals.first { $0.path == old } }

        func isGone(_ old: ItemPath) -> Bool {
            guard let edit = removal(old) else { return empties(old.section) }
            return edit.role == .delete
        }

        func target(_ old: ItemPath) -> ItemPath? {
            removal(old).flatMap { $0.role == .move ? $0.associatedWith : nil }
        }

        func isReloaded(_ old: ItemPath) -> Bool { removal(old)?.role == .reload }
    }

    /// An element that its update inserts between those that stay.
    private struct Gap<Element> {
        /// The last old element before it that its update leaves in place, or -1.
        var anchor: Int
        var element: Element
    }

    /// Returns the staying elements in ascending order with all inserted elements, those of the
    /// earlier update first.
    private static func fill<Element>(
        _ staying: [(Int, Element)],
        _ earlier: [Gap<Element>],
        _ later: [Gap<Element>]
    ) -> [Element] {
        var rows = staying.map { (key: $0.0, rank: 0, element: $0.1) }
        for (rank, gaps) in [(1, earlier), (2, later)] {
            for gap in gaps {
                let key = staying.last { $0.0 <= gap.anchor }?.0 ?? -1
                rows.append((key: key, rank: rank, element: gap.element))
            }
        }
        // Equal elements keep the order of insertion.
        return rows.enumerated().sorted {
            ($0.element.key, $0.element.rank, $0.offset) < (
                $1.element.key, $1.element.rank, $1.offset
            )
        }.map(\.element.element)
    }

    private struct SectionOrigin {
        var old: Int?
        var mine: Int?
        var theirs: Int?
        var takesMine = false
        var takesTheirs = false
    }

    /// Returns the merged state by the rules, with `mine` as the later update.
    static func merged(_ mine: ValidatedChangeSet, _ theirs: ValidatedChangeSet) -> MergeModel {
        let (mine, theirs) = (Side(update: mine, isMine: true), Side(update: theirs, isMine: false))
        let places = mergedSections(mine, theirs)
        var model = MergeModel()
        model.sections = places.map { place in
            var name = SectionName.inserted(isMine: place.mine != nil)
            if let old = place.old {
                name = place.takesMine && place.takesTheirs ? .old(old) : .replacement(old)
            }
            return Section(name: name, items: items(of: place, among: places, mine, theirs))
        }
        return model
    }

    private static func mergedSections(_ mine: Side, _ theirs: Side) -> [SectionOrigin] {
        let count = mine.update.oldShape.numberOfSections
        func place(_ old: Int) -> SectionOrigin {
            let reloads = (
                mine.role(ofSection: old) == .reload, theirs.role(ofSection: old) == .reload
            )
            return SectionOrigin(
                old: old,
                mine: mine.update.newSection(for: old),
                theirs: theirs.update.newSection(for: old),
                takesMine: reloads.0 || !reloads.1,
                takesTheirs: !reloads.0
            )
        }
        func isDeleted(_ old: Int) -> Bool {
            mine.role(ofSection: old) == .delete || theirs.role(ofSection: old) == .delete
        }
        func gaps(_ side: Side, _ other: Side) -> [Gap<SectionOrigin>] {
            var anchor = -1
            var gaps: [Gap<SectionOrigin>] = []
            for new in side.update.newShape.itemCounts.indices {
                guard let old = side.update.oldSection(for: new) else {
                    let place =
                        side.isMine
                        ? SectionOrigin(mine: new, takesMine: true)
                        : SectionOrigin(theirs: new, takesTheirs: true)
                    gaps.append(Gap(anchor: anchor, element: place))
                    continue
                }
                if side.role(ofSection: old) != .move {
                    anchor = old
                } else if !isDeleted(old), other.role(ofSection: old) != .move || side.isMine {
                    gaps.append(Gap(anchor: anchor, element: place(old)))
                }
            }
            return gaps
        }
        let staying = (0..<count).filter { old in
            !isDeleted(old) && mine.role(ofSection: old) != .move
                && theirs.role(ofSection: old) != .move
        }
        return fill(staying.map { ($0, place($0)) }, gaps(theirs, mine), gaps(mine, theirs))
    }

    /// Returns the side whose move applies, or `nil`.
    private static func mover(
        _ old: ItemPath,
        _ places: [SectionOrigin],
        _ mine: Side,
        _ theirs: Side
    ) -> Side? {
        if let target = mine.target(old),
            places.contains(where: { $0.mine == target.section && $0.takesMine })
        {
            return mine
        }
        if let target = theirs.target(old),
            places.contains(where: { $0.theirs == target.section && $0.takesTheirs })
        {
            return theirs
        }
        return nil
    }

    private static func items(
        of place: SectionOrigin,
        among places: [SectionOrigin],
        _ mine: Side,
        _ theirs: Side
    ) -> [Name] {
        func name(_ old: ItemPath) -> Name {
            mine.isReloaded(old) || theirs.isReloaded(old) ? .replacement(old) : .old(old)
        }
        func mover(_ old: ItemPath) -> Side? { Self.mover(old, places, mine, theirs) }
        func gaps(_ side: Side, _ new: Int?) -> [Gap<Name>] {
            guard let new else { return [] }
            var gaps: [Gap<Name>] = []
            var anchor = -1
            for item in 0..<(side.update.newShape.itemCounts[new]) {
                let newPath = path(new, item)
                guard let old = side.update.oldPath(for: newPath) else {
                    gaps.append(Gap(anchor: anchor, element: .inserted(isMine: side.isMine)))
                    continue
                }
                if side.target(old) == nil {
                    anchor = old.item
                } else if !mine.isGone(old), !theirs.isGone(old), mover(old)?.isMine == side.isMine
                {
                    gaps.append(Gap(anchor: anchor, element: name(old)))
                }
            }
            return gaps
        }
        let myGaps = place.takesMine ? gaps(mine, place.mine) : []
        let theirGaps = place.takesTheirs ? gaps(theirs, place.theirs) : []
        guard let old = place.old, place.takesMine, place.takesTheirs else {
            return theirGaps.map(\.element) + myGaps.map(\.element)
        }
        let staying = (0..<mine.update.oldShape.itemCounts[old]).map { path(old, $0) }.filter {
            !mine.isGone($0) && !theirs.isGone($0) && mover($0) == nil
        }
        return fill(staying.map { ($0.item, name($0)) }, theirGaps, myGaps)
    }

    // MARK: Dropped edits

    /// Returns the edits without an effect and the reasons, with `mine` as the later update.
    static func dropped(
        _ mine: ValidatedChangeSet,
        _ theirs: ValidatedChangeSet,
        ofMine isMine: Bool
    ) -> [DroppedEdit] {
        let (mine, theirs) = (Side(update: mine, isMine: true), Side(update: theirs, isMine: false))
        let places = mergedSections(mine, theirs)
        let (own, other) = isMine ? (mine, theirs) : (theirs, mine)
        func participates(_ section: Int) -> Bool {
            places.contains {
                isMine
                    ? $0.mine == section && $0.takesMine : $0.theirs == section && $0.takesTheirs
            }
        }
        func mover(_ old: ItemPath) -> Side? { Self.mover(old, places, mine, theirs) }
        func isGone(_ old: ItemPath) -> Bool {
            let isEmptied = mine.empties(old.section) || theirs.empties(old.section)
            return mine.isGone(old) || theirs.isGone(old) || mover(old) == nil && isEmptied
        }
        var result: [DroppedEdit] = []
        func drop(_ subject: DroppedEdit.Subject, _ reason: DroppedEdit.Reason?) {
            if let reason { result.append(DroppedEdit(subject, reason)) }
        }
        for edit in own.update.itemRemovals {
            let reason: DroppedEdit.Reason? =
                switch edit.role {
                case .delete, .insert: other.isGone(edit.path) ? .removedAlready : nil
                case .reload: isGone(edit.path) ? .gone : nil
                case .move where other.isGone(edit.path): .gone
                case .move where !participates(edit.associatedWith!.section): .targetGone
                case .move: mover(edit.path)?.isMine == isMine ? nil : .overruled
                }
            drop(.edit(.removeItem(edit)), reason)
        }
        for edit in own.update.sectionRemovals {
            let role = other.role(ofSection: edit.section)
            let isOverruled = !isMine && edit.role != .delete && edit.role == role
            let gone: DroppedEdit.Reason = edit.role == .delete ? .removedAlready : .gone
            drop(
                .edit(.removeSection(edit)),
                role == .delete ? gone : isOverruled ? .overruled : nil
            )
        }
        for edit in own.update.itemInsertions where edit.role == .insert {
            drop(.edit(.insertItem(edit)), participates(edit.path.section) ? nil : .targetGone)
        }
        for edit in own.update.reconfigurations {
            let isDone = !isGone(edit.oldPath) && !other.isReloaded(edit.oldPath)
            drop(.reconfiguration(edit), isDone ? nil : .gone)
        }
        for reload in own.update.supplementaryReloads {
            let role = own.update.oldSection(for: reload.newSection)
                .flatMap { other.role(ofSection: $0) }
            drop(.supplementaryReload(reload), role == .delete ? .gone : nil)
        }
        return result
    }
}
