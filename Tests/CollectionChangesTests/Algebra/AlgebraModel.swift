import CollectionChanges

// The obviously correct model of the algebra: arrays of arrays of things that know where they were at the start.
// Updates are applied literally, run by run; what two updates have in common is what the arrays say.

/// The state between updates.
struct AlgebraModel: Equatable, CustomStringConvertible {
    struct Item: Equatable {
        /// Where it was at the start; nil for what is new, also where it replaces something.
        var origin: ItemPath?
        /// What it replaces, where that was there at the start.
        var replaced: ItemPath?
        var isReconfigured = false
    }

    struct Section: Equatable {
        var origin: Int?
        var replaced: Int?
        var items: [Item]
        /// What was asked for again.
        var supplementaries: [SupplementaryKind: AnimationOption] = [:]
    }

    var sections: [Section]

    init(_ shape: HierarchyShape) {
        sections = shape.itemCounts.enumerated().map { section, count in
            Section(origin: section, items: (0..<count).map { Item(origin: path(section, $0)) })
        }
    }

    /// The state of something that goes through `updates`.
    init(after updates: [ValidatedChangeSet]) {
        self.init(updates[0].oldShape)
        for update in updates { apply(update) }
    }

    mutating func apply(_ update: ValidatedChangeSet) {
        if update.isReloadData {
            sections = update.newShape.itemCounts.map {
                Section(items: Array(repeating: Item(), count: $0))
            }
            return
        }
        var items: [ItemPath: Item] = [:]
        var carried: [Int: Section] = [:]
        for edit in update.itemRemovals {
            items[edit.path] = sections[edit.path.section].items.remove(at: edit.path.item)
        }
        for edit in update.sectionRemovals {
            carried[edit.section] = sections.remove(at: edit.section)
        }
        for edit in update.sectionInsertions {
            let fresh = Array(repeating: Item(), count: edit.freshItemCount)
            var section = Section(items: fresh)
            if let old = edit.associatedWith.flatMap({ carried[$0] }) {
                if edit.role == .move {
                    section = old
                } else {
                    section.replaced = old.origin ?? old.replaced
                    section.supplementaries = old.supplementaries
                }
            }
            sections.insert(section, at: edit.section)
        }
        for edit in update.itemInsertions {
            var item = Item()
            if let old = edit.associatedWith.flatMap({ items[$0] }) {
                item = edit.role == .move ? old : Item(replaced: old.origin ?? old.replaced)
            }
            sections[edit.path.section].items.insert(item, at: edit.path.item)
        }
        for reconfiguration in update.reconfigurations {
            let path = reconfiguration.newPath
            if sections[path.section].items[path.item].origin != nil {
                sections[path.section].items[path.item].isReconfigured = true
            }
        }
        for reload in update.supplementaryReloads {
            sections[reload.newSection].supplementaries[reload.kind] = reload.animation
        }
    }

    var shape: HierarchyShape { HierarchyShape(sections.map(\.items.count)) }

    /// The same without what is only a way to say it: what replaces what, and what new sections are asked for anyway.
    var survivors: AlgebraModel {
        var result = self
        for section in sections.indices {
            result.sections[section].replaced = nil
            // Whether a section is reloaded, or deleted and inserted, is not told apart.
            if sections[section].origin == nil { result.sections[section].supplementaries = [:] }
            for item in sections[section].items.indices {
                result.sections[section].items[item].replaced = nil
            }
        }
        return result
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

// MARK: Minimality

extension AlgebraModel {
    /// How often each role has to appear among the removals.
    struct Tally: Equatable {
        var itemMoves = 0
        var itemReloads = 0
        var sectionMoves = 0
        var sectionReloads = 0
    }

    /// The lowest numbers of moves, and then the highest of reloads, by trying every choice of what stays.
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

// MARK: What can be observed of an update

extension ValidatedChangeSet {
    /// Everything that can be observed, but for the mappings, which follow.
    var picture: String {
        """
        \(oldShape) to \(newShape)\(isReloadData ? ", reload of all" : "")\(isEmpty ? ", empty" : "")
        \(edits.map { "\($0) \($0.animation.rawValue)" }.joined(separator: "\n"))
        \(reconfigurations)
        \(supplementaryReloads)
        """
    }

    /// What is wrong with it: it must be exactly what validation makes of its record.
    var fault: String? {
        let changes = HierarchyChangeSet(recording: self)
        do {
            let limits = ShapeLimits(sections: .max, items: .max)
            let again = try changes.validated(from: oldShape, to: newShape, limits: limits)
            if again.picture != picture {
                return "validation gives \(again.picture) instead of \(picture)"
            }
            if again.sectionMapping != sectionMapping { return "another section mapping" }
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
