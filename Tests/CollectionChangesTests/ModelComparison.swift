import CollectionChanges

/// Validates one record in both of UIKit's profiles and compares everything that can be observed
/// with ``ArrayModel``; a mismatch comes back as text that is enough to replay it.
struct ModelComparison {
    let changes: HierarchyChangeSet
    let old: HierarchyShape
    let new: HierarchyShape

    /// Codes that only `strict` gives, or gives earlier than `standard` would.
    private static let earlyCodes: Set<HierarchyUpdateError.Code> = [
        .moveOutOfDeletedSection, .moveIntoInsertedSection, .insertAndMoveSection,
        .insertAndMoveItem, .insertSectionRange, .insertItemRange, .itemCount,
    ]

    enum Verdict {
        case rejected
        case accepted
        case mismatch(String)
    }

    /// Whether both accept or both reject, with all that follows.
    func verdict() -> Verdict {
        let model = ArrayModel(changes, from: old, to: new)
        let expected = model.firstFaults
        let update: ValidatedChangeSet
        do {
            update = try changes.validated(from: old, to: new)
        } catch {
            guard expected.contains(error.code) else {
                return mismatch("threw \(error), the model expects \(codes(expected))")
            }
            do {
                _ = try changes.validated(from: old, to: new, profile: .strict)
                return mismatch("strict accepts what standard rejects with \(error)")
            } catch let strictError {
                let isKnown =
                    expected.contains(strictError.code)
                    || Self.earlyCodes.contains(strictError.code)
                return isKnown ? .rejected : mismatch("strict threw \(strictError)")
            }
        }
        guard expected.isEmpty else {
            return mismatch("accepted, the model expects \(codes(expected))")
        }
        if let difference = difference(of: update, from: model) { return mismatch(difference) }
        let mayBeStrict = model.isAcceptedByEveryUIKit
        do {
            _ = try changes.validated(from: old, to: new, profile: .strict)
            if !mayBeStrict { return mismatch("strict accepts what some UIKit rejects") }
        } catch {
            if mayBeStrict { return mismatch("strict threw \(error) where every UIKit accepts") }
        }
        return .accepted
    }

    private func mismatch(_ text: String) -> Verdict {
        .mismatch("\(old) to \(new), \(changes.operations): \(text)")
    }

    private func codes(_ codes: Set<HierarchyUpdateError.Code>) -> [String] {
        codes.map(\.rawValue).sorted()
    }

    // MARK: An accepted update

    private func difference(of update: ValidatedChangeSet, from model: ArrayModel) -> String? {
        let state = model.state
        if let fault = orderFault(of: update) ?? linkFault(of: update) { return fault }
        let arrays = originalArrays
        var replay = EditReplay(arrays)
        for edit in update.edits {
            if let fault = replay.apply(edit) {
                return "\(fault) at \(edit) of \(Array(update.edits))"
            }
        }
        let replayed = replay.named
        if replayed != state.items {
            return "edits give \(replayed), the model \(state.items): \(Array(update.edits))"
        }
        let applied = update.applyUnchecked(to: arrays) { .fresh($0) }
        if applied != state.items { return "apply gives \(applied), the model \(state.items)" }
        return mappingFault(of: update, state, model)
    }

    private var originalArrays: [[Origin]] {
        old.itemCounts.indices.map { section in
            (0..<old.itemCounts[section]).map { .old(ItemPath(section: section, item: $0)) }
        }
    }

    private func orderFault(of update: ValidatedChangeSet) -> String? {
        func isAscending<Key: Comparable>(_ keys: [Key]) -> Bool {
            zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }
        }
        let isOrdered =
            isAscending(update.itemRemovals.map(\.path).reversed())
            && isAscending(update.sectionRemovals.map(\.section).reversed())
            && isAscending(update.sectionInsertions.map(\.section))
            && isAscending(update.itemInsertions.map(\.path))
        return isOrdered ? nil : "order \(Array(update.edits))"
    }

    private func linkFault(of update: ValidatedChangeSet) -> String? {
        func fault(_ text: String) -> String { "\(text) in \(Array(update.edits))" }
        for edit in update.itemRemovals {
            switch (edit.role, edit.associatedWith) {
            case (.delete, nil): continue
            case (.reload, let target?), (.move, let target?):
                let half = ItemEdit(path: target, role: edit.role, associatedWith: edit.path)
                if !update.itemInsertions.contains(half) { return fault("no half of \(edit)") }
            default: return fault("role of \(edit)")
            }
        }
        for edit in update.itemInsertions {
            switch (edit.role, edit.associatedWith) {
            case (.insert, nil): continue
            case (.reload, let source?), (.move, let source?):
                let half = ItemEdit(path: source, role: edit.role, associatedWith: edit.path)
                if !update.itemRemovals.contains(half) { return fault("no half of \(edit)") }
            default: return fault("role of \(edit)")
            }
        }
        for edit in update.sectionRemovals {
            if edit.freshItemCount != 0 { return fault("fresh items of \(edit)") }
            switch (edit.role, edit.associatedWith) {
            case (.delete, nil): continue
            case (.reload, let target?), (.move, let target?):
                let isLinked = update.sectionInsertions.contains {
                    ($0.section, $0.role, $0.associatedWith) == (target, edit.role, edit.section)
                }
                if !isLinked { return fault("no half of \(edit)") }
            default: return fault("role of \(edit)")
            }
        }
        for edit in update.sectionInsertions {
            switch (edit.role, edit.associatedWith) {
            case (.insert, nil): continue
            case (.move, _?) where edit.freshItemCount != 0: return fault("fresh items of \(edit)")
            case (.reload, let source?), (.move, let source?):
                let half = SectionEdit(
                    section: source,
                    role: edit.role,
                    associatedWith: edit.section
                )
                if !update.sectionRemovals.contains(half) { return fault("no half of \(edit)") }
            default: return fault("role of \(edit)")
            }
        }
        return nil
    }

    /// Compares the mappings with the model's for every path, and one beyond on each side.
    private func mappingFault(
        of update: ValidatedChangeSet,
        _ state: ArrayModel.State,
        _ model: ArrayModel
    ) -> String? {
        let oldSections = Dictionary(uniqueKeysWithValues: state.sections.map { ($1, $0) })
        let oldPaths = Dictionary(uniqueKeysWithValues: state.paths.map { ($1, $0) })
        var lastSurvivor: Int?
        for section in -1...old.numberOfSections {
            let target = update.newSection(for: section)
            if target != state.sections[section]
                || update.sectionMapping.newIndex(for: section) != target
            {
                return "newSection(for: \(section)) is \(String(describing: target))"
            }
            if let target, !model.sectionMoves.contains(where: { $0.from == section }) {
                if let lastSurvivor, target <= lastSurvivor { return "sections cross" }
                lastSurvivor = target
            }
            var lastItem: ItemPath?
            for item in -1...(old.numberOfItems(inSection: section) ?? 0) {
                let path = ItemPath(section: section, item: item)
                let newPath = update.newPath(for: path)
                if newPath != state.paths[path] {
                    return "newPath(for: \(path)) is \(String(describing: newPath))"
                }
                if let newPath, !model.moves.contains(where: { $0.from == path }) {
                    if let lastItem, newPath <= lastItem { return "items of \(section) cross" }
                    lastItem = newPath
                }
            }
        }
        for section in -1...new.numberOfSections {
            let source = update.oldSection(for: section)
            if source != oldSections[section]
                || update.sectionMapping.oldIndex(for: section) != source
            {
                return "oldSection(for: \(section)) is \(String(describing: source))"
            }
            for item in -1...(new.numberOfItems(inSection: section) ?? 0) {
                let path = ItemPath(section: section, item: item)
                let oldPath = update.oldPath(for: path)
                if oldPath != oldPaths[path] {
                    return "oldPath(for: \(path)) is \(String(describing: oldPath))"
                }
            }
        }
        return nil
    }
}

/// Applies edits one by one to an array of arrays, believing nothing.
struct EditReplay {
    /// The elements; nil is one that a fresh section arrived with.
    private var sections: [[Origin?]]
    private var carriedItems: [ItemPath: Origin] = [:]
    private var carriedSections: [Int: [Origin?]] = [:]

    init(_ arrays: [[Origin]]) { sections = arrays }

    /// The arrays, with fresh elements named by where they ended up.
    var named: [[Origin]] {
        sections.enumerated().map { section, items in
            items.enumerated().map { $1 ?? .fresh(ItemPath(section: section, item: $0)) }
        }
    }

    /// Applies `edit`, or says why that cannot be done.
    mutating func apply(_ edit: HierarchyEdit) -> String? {
        switch edit {
        case .removeItem(let edit):
            guard sections.indices.contains(edit.path.section),
                sections[edit.path.section].indices.contains(edit.path.item)
            else { return "nothing to remove" }
            let origin = sections[edit.path.section].remove(at: edit.path.item)
            if origin != .old(edit.path) { return "took out \(origin as Any)" }
            if edit.role == .move, let target = edit.associatedWith {
                carriedItems[target] = origin
            }
        case .removeSection(let edit):
            guard sections.indices.contains(edit.section) else { return "nothing to remove" }
            let items = sections.remove(at: edit.section)
            if edit.role == .move, let target = edit.associatedWith {
                carriedSections[target] = items
            }
        case .insertSection(let edit):
            guard edit.section >= 0, edit.section <= sections.count else { return "no such place" }
            if edit.role == .move {
                guard let items = carriedSections.removeValue(forKey: edit.section) else {
                    return "nothing was carried"
                }
                sections.insert(items, at: edit.section)
            } else {
                guard edit.freshItemCount >= 0 else { return "fewer than no items" }
                let fresh: [Origin?] = Array(repeating: nil, count: edit.freshItemCount)
                sections.insert(fresh, at: edit.section)
            }
        case .insertItem(let edit):
            guard sections.indices.contains(edit.path.section), edit.path.item >= 0,
                edit.path.item <= sections[edit.path.section].count
            else { return "no such place" }
            var origin = Origin.fresh(edit.path)
            if edit.role == .move {
                guard let carried = carriedItems.removeValue(forKey: edit.path) else {
                    return "nothing was carried"
                }
                origin = carried
            }
            sections[edit.path.section].insert(origin, at: edit.path.item)
        }
        return nil
    }
}
