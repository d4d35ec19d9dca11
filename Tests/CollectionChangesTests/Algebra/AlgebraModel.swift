import CollectionChanges

// The obviously correct model of the algebra: nested arrays of elements that record their place at
// the start and the option of their last edit. Updates are applied literally, run by run; the
// arrays give the effect of several updates.

/// The state between updates.
struct AlgebraModel: Equatable, CustomStringConvertible {
    struct Item: Equatable {
        /// The place at the start; `nil` for a new item, even if it replaces another.
        var origin: ItemPath?
        /// The item that this one replaces, if that existed at the start.
        var replaced: ItemPath?
        /// The number of the update that inserted it.
        var creator: Int?
        var isReconfigured = false
        /// The option of its last insertion, move or replacement.
        var arrival: AnimationOption?
        /// The option of its last update in place.
        var update: AnimationOption?
        /// Whether it moved and is next to its old neighbour again, and so may count as not moved.
        var mayHaveStayed = false
    }

    struct Section: Equatable {
        var origin: Int?
        var replaced: Int?
        var creator: Int?
        var items: [Item]
        /// The reloaded kinds.
        var supplementaries: [SupplementaryKind: AnimationOption] = [:]
        /// The option of its last insertion, move or replacement.
        var arrival: AnimationOption?
    }

    var sections: [Section]
    /// The options of the removals of items and sections that existed at the start.
    private(set) var itemRemovals: [ItemPath: AnimationOption] = [:]
    private(set) var sectionRemovals: [Int: AnimationOption] = [:]
    private var updateCount = 0

    init(_ shape: HierarchyShape) {
        sections = shape.itemCounts.enumerated().map { section, count in
            Section(origin: section, items: (0..<count).map { Item(origin: path(section, $0)) })
        }
    }

    /// Applies `updates` to their initial state.
    init(after updates: [ValidatedChangeSet]) {
        self.init(updates[0].oldShape)
        for update in updates { apply(update) }
    }

    mutating func apply(_ update: ValidatedChangeSet) {
        defer { updateCount += 1 }
        if update.isReloadData {
            sections = update.newShape.itemCounts.map(newSection)
            return
        }
        var items: [ItemPath: Item] = [:]
        for edit in update.itemRemovals {
            let item = sections[edit.path.section].items.remove(at: edit.path.item)
            items[edit.path] = item
            if edit.role == .delete { noteRemoval(of: item, edit.animation) }
        }
        applySections(update)
        for edit in update.itemInsertions {
            var item = Item(creator: updateCount)
            if let old = edit.associatedWith.flatMap({ items[$0] }) {
                item =
                    edit.role == .move
                    ? old : Item(replaced: old.origin ?? old.replaced, creator: old.creator)
            }
            item.arrival = edit.animation
            item.mayHaveStayed = false
            sections[edit.path.section].items.insert(item, at: edit.path.item)
            noteReturn(edit.path)
        }
        for reconfiguration in update.reconfigurations {
            let path = reconfiguration.newPath
            let isKept = sections[path.section].items[path.item].origin != nil
            if isKept {
                sections[path.section].items[path.item].isReconfigured = true
                sections[path.section].items[path.item].update = reconfiguration.animation
            } else {
                sections[path.section].items[path.item].arrival = reconfiguration.animation
            }
        }
        for path in update.newShape.paths { noteReturn(path) }
        for reload in update.supplementaryReloads {
            sections[reload.newSection].supplementaries[reload.kind] = reload.animation
        }
    }

    private func newSection(_ count: Int) -> Section {
        let items = Array(repeating: Item(creator: updateCount), count: count)
        return Section(creator: updateCount, items: items)
    }

    private mutating func applySections(_ update: ValidatedChangeSet) {
        var carried: [Int: Section] = [:]
        for edit in update.sectionRemovals {
            let section = sections.remove(at: edit.section)
            carried[edit.section] = section
            if edit.role == .move { continue }
            for item in section.items { noteRemoval(of: item, edit.animation) }
            if edit.role == .delete, let old = section.origin ?? section.replaced {
                sectionRemovals[old] = edit.animation
            }
        }
        for edit in update.sectionInsertions {
            var section = newSection(edit.newItemCount)
            if let old = edit.associatedWith.flatMap({ carried[$0] }) {
                if edit.role == .move {
                    section = old
                } else {
                    (section.replaced, section.creator) = (old.origin ?? old.replaced, old.creator)
                    section.supplementaries = old.supplementaries
                }
            }
            section.arrival = edit.animation
            sections.insert(section, at: edit.section)
        }
    }

    private mutating func noteRemoval(of item: Item, _ option: AnimationOption) {
        if let old = item.origin ?? item.replaced { itemRemovals[old] = option }
    }

    private mutating func noteReturn(_ place: ItemPath) {
        let items = sections[place.section].items
        guard let origin = items[place.item].origin,
            origin.section == sections[place.section].origin
        else { return }
        for step in [-1, 1] where items.indices.contains(place.item + step) {
            if items[place.item + step].origin == path(origin.section, origin.item + step) {
                sections[place.section].items[place.item].mayHaveStayed = true
            }
        }
    }

    var shape: HierarchyShape { HierarchyShape(sections.map(\.items.count)) }

    /// The sections without replacements, options, and reloads of supplementary elements in new
    /// sections.
    var survivors: [Section] {
        sections.map { section in
            // A reloaded section equals one that was deleted and inserted.
            Section(
                origin: section.origin,
                items: section.items.map {
                    Item(origin: $0.origin, isReconfigured: $0.isReconfigured)
                },
                supplementaries: section.origin == nil ? [:] : section.supplementaries
            )
        }
    }

    var description: String {
        sections.map { section in
            let items = section.items.map { item in
                (item.origin.map { "\($0.section).\($0.item)" }
                    ?? item.replaced.map { "for \($0.section).\($0.item)" } ?? "new")
                    + (item.isReconfigured ? "*" : "")
            }
            let name =
                section.origin.map { "\($0)" } ?? section.replaced.map { "for \($0)" } ?? "new"
            return "\(name): [\(items.joined(separator: ", "))]"
        }.joined(separator: "; ")
    }
}

// MARK: Options

extension AlgebraModel {
    /// Returns the first fault in the options of an update that leads from the start to this state.
    ///
    /// Every edit has the option of its last edit in the sequence; a move that only makes room for
    /// others has the default.
    func optionFault(of sum: ValidatedChangeSet) -> String? {
        func options(_ newPath: ItemPath, _ role: EditRole) -> [AnimationOption] {
            let item = sections[newPath.section].items[newPath.item]
            let last = item.arrival ?? .automatic
            return role == .move && item.mayHaveStayed ? [last, .automatic] : [last]
        }
        for edit in sum.itemInsertions
        where !options(edit.path, edit.role).contains(edit.animation) { return "option of \(edit)" }
        var replacements: [ItemPath: AnimationOption] = [:]
        for item in sections.flatMap(\.items) {
            if let old = item.replaced { replacements[old] = item.arrival ?? .automatic }
        }
        for edit in sum.itemRemovals {
            let expected =
                edit.associatedWith.map { options($0, edit.role) }
                ?? [replacements[edit.path] ?? itemRemovals[edit.path] ?? .automatic]
            if !expected.contains(edit.animation) { return "option of \(edit), not \(expected)" }
        }
        for edit in sum.sectionInsertions
        where edit.animation != sections[edit.section].arrival ?? .automatic {
            return "option of \(edit)"
        }
        for edit in sum.sectionRemovals {
            let present = sections.first { ($0.origin ?? $0.replaced) == edit.section }
            let gone = sectionRemovals[edit.section]
            if edit.animation != (present.map(\.arrival) ?? gone) ?? .automatic {
                return "option of \(edit)"
            }
        }
        for edit in sum.reconfigurations {
            let item = sections[edit.newPath.section].items[edit.newPath.item]
            if edit.animation != item.update { return "option of \(edit)" }
        }
        var reloads: [SupplementaryReload] = []
        for (section, found) in sections.enumerated() {
            let isInserted = sum.sectionInsertions.contains {
                $0.section == section && $0.role == .insert
            }
            for (kind, option) in found.supplementaries where !isInserted {
                reloads.append(
                    SupplementaryReload(kind: kind, newSection: section, animation: option)
                )
            }
        }
        reloads.sort { ($0.newSection, $0.kind) < ($1.newSection, $1.kind) }
        return sum.supplementaryReloads == reloads ? nil : "\(sum.supplementaryReloads)"
    }
}

// MARK: Minimality

extension AlgebraModel {
    /// The number of removals with each role.
    struct Tally: Equatable {
        var itemMoves = 0
        var itemReloads = 0
        var sectionMoves = 0
        var sectionReloads = 0
    }

    /// Returns the lowest number of moves and then the highest number of reloads, by trying every
    /// choice of staying elements.
    func leastTally() -> Tally {
        var tally = Tally()
        let candidates = sections.compactMap { section -> Candidate? in
            (section.origin ?? section.replaced).map { ($0, section.origin != nil) }
        }
        let best = Self.mostKept(candidates)
        tally.sectionMoves = sections.count { $0.origin != nil } - best.kept
        tally.sectionReloads = best.replaced
        for section in sections {
            let survivors = section.items.count { $0.origin != nil }
            let home = section.items.compactMap { item -> Candidate? in
                guard let path = item.origin ?? item.replaced, path.section == section.origin
                else { return nil }
                return (path.item, item.origin != nil)
            }
            let best = Self.mostKept(home)
            tally.itemMoves += survivors - best.kept
            tally.itemReloads += best.replaced
        }
        return tally
    }

    private typealias Candidate = (place: Int, isKept: Bool)

    private static func mostKept(_ candidates: [Candidate]) -> (kept: Int, replaced: Int) {
        var best = (kept: 0, replaced: 0)
        for choice in 0..<(1 << candidates.count) {
            let chosen = candidates.indices.filter { choice >> $0 & 1 == 1 }.map { candidates[$0] }
            guard zip(chosen, chosen.dropFirst()).allSatisfy({ $0.place < $1.place }) else {
                continue
            }
            let kept = chosen.count { $0.isKept }
            let replaced = chosen.count - kept
            if (kept, replaced) > (best.kept, best.replaced) { best = (kept, replaced) }
        }
        return best
    }
}

extension AlgebraModel.Tally {
    init(_ update: ValidatedChangeSet) {
        self.init(
            itemMoves: update.itemRemovals.count { $0.role == .move },
            itemReloads: update.itemRemovals.count { $0.role == .reload },
            sectionMoves: update.sectionRemovals.count { $0.role == .move },
            sectionReloads: update.sectionRemovals.count { $0.role == .reload }
        )
    }
}

// MARK: Observable properties of an update

extension ValidatedChangeSet {
    /// Everything observable except the mappings, which follow from it.
    var picture: String {
        """
        \(oldShape) to \(newShape)\(isReloadData ? ", reload of all" : "")\(isEmpty ? ", empty" : "")
        \(edits.map { "\($0) \($0.animation.rawValue)" }.joined(separator: "\n"))
        \(reconfigurations)
        \(supplementaryReloads)
        """
    }

    /// Returns the first difference between the update and the result of validating its record,
    /// including hidden properties.
    func fault(in profile: ValidationProfile = .standard) -> String? {
        let changes = HierarchyChangeSet(recording: self)
        do {
            let limits = ShapeLimits(sections: .max, items: .max)
            let again = try changes.validated(
                from: oldShape,
                to: newShape,
                profile: profile,
                limits: limits
            )
            // A record may be empty too.
            if !changesNothing, Array(again.edits) != Array(edits) || again.picture != picture {
                return "validation gives \(again.picture) instead of \(picture)"
            }
            if again.sectionMapping != sectionMapping { return "wrong section mapping" }
            return nil
        } catch {
            return "validation throws \(error) for \(picture)"
        }
    }
}

extension HierarchyEdit {
    var animation: AnimationOption {
        switch self {
        case .removeItem(let edit), .insertItem(let edit): edit.animation
        case .removeSection(let edit), .insertSection(let edit): edit.animation
        }
    }
}
