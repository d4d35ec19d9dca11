import CollectionChanges

/// Validates one record in both of UIKit's profiles and compares everything observable with
/// ``ArrayModel``: the fields of the error, or the edits with their options, the mappings, and the
/// queries. A mismatch is returned as text with everything needed to replay it.
struct ModelComparison {
    let changes: HierarchyChangeSet
    let old: HierarchyShape
    let new: HierarchyShape

    /// Codes that only `strict` reports, or reports earlier than `standard`.
    private static let earlyCodes: Set<HierarchyUpdateError.Code> = [
        .moveOutOfDeletedSection, .moveIntoInsertedSection, .insertAndMoveSection,
        .insertAndMoveItem, .insertSectionRange, .insertItemRange, .itemCount,
    ]

    enum Verdict {
        case rejected
        case accepted
        case mismatch(String)
    }

    /// Returns whether both accept or both reject the record, or the first mismatch.
    func verdict() -> Verdict {
        let model = ArrayModel(changes, from: old, to: new)
        let expected = model.firstFaults
        let update: ValidatedChangeSet
        do {
            update = try changes.validated(from: old, to: new)
        } catch {
            if let difference = difference(of: error, from: expected, model) {
                return mismatch("\(difference): \(error), the model expects \(expected)")
            }
            do {
                _ = try changes.validated(from: old, to: new, profile: .strict)
                return mismatch("strict accepts what standard rejects with \(error)")
            } catch let strictError {
                let isKnown =
                    strictError == error || Self.earlyCodes.contains(strictError.code)
                    || expected.contains { $0.code == strictError.code }
                return isKnown ? .rejected : mismatch("strict threw \(strictError)")
            }
        }
        guard expected.isEmpty else {
            return mismatch("accepted, the model expects \(expected)")
        }
        if let difference = difference(of: update, from: model) { return mismatch(difference) }
        let mayBeStrict = model.isAcceptedByEveryUIKit
        do {
            let strict = try changes.validated(from: old, to: new, profile: .strict)
            if !mayBeStrict { return mismatch("strict accepts what some UIKit rejects") }
            if ArrayModel.Edits(strict) != ArrayModel.Edits(update) {
                return mismatch("strict gives \(Array(strict.edits))")
            }
        } catch {
            if mayBeStrict { return mismatch("strict threw \(error) where every UIKit accepts") }
        }
        return .accepted
    }

    private func mismatch(_ text: String) -> Verdict {
        .mismatch("\(old) to \(new), \(changes.operations): \(text)")
    }

    /// Returns the first difference between an error and every fault that may be first, or `nil` if
    /// one matches.
    private func difference(
        of error: HierarchyUpdateError,
        from faults: [ArrayModel.Fault],
        _ model: ArrayModel
    ) -> String? {
        let isExpected = faults.contains { fault in
            let operations = fault.claim.flatMap { model.claims[$0]?.operations }
            return (fault.code, fault.path, fault.section) == (
                error.code, error.path, error.section
            )
                && fault.arithmetic == error.arithmetic
                && (operations.map { $0.contains(error.operationIndex ?? -1) }
                    ?? (error.operationIndex == nil))
        }
        if !isExpected { return "wrong fault" }
        if error.operation != error.operationIndex.map({ changes.operations[$0] }) {
            return "wrong operation"
        }
        return error.oldShape == old && error.newShape == new ? nil : "wrong shapes"
    }

    // MARK: An accepted update

    private func difference(of update: ValidatedChangeSet, from model: ArrayModel) -> String? {
        let state = model.state
        let (edits, expected) = (ArrayModel.Edits(update), model.edits(state))
        if edits != expected { return "gives \(edits), the model \(expected)" }
        if update.isEmpty != changes.isEmpty || update.isReloadData { return "emptiness" }
        let arrays = old.itemCounts.enumerated().map { section, count in
            (0..<count).map { Origin.old(ItemPath(section: section, item: $0)) }
        }
        // The runs in sequence, applied to arrays that record all origins.
        let replayed = AlgebraModel(after: [update]).sections.enumerated().map { section, found in
            found.items.enumerated().map { item, found in
                found.origin.map { Origin.old($0) }
                    ?? .inserted(ItemPath(section: section, item: item))
            }
        }
        if replayed != state.items { return "the runs give \(replayed), not \(state.items)" }
        var requested: [ItemPath] = []
        let applied = update.applyUnchecked(to: arrays) { path in
            requested.append(path)
            return .inserted(path)
        }
        if applied != state.items { return "apply gives \(applied), the model \(state.items)" }
        if let fault = insertionFault(of: update, requested: requested) { return fault }
        return mappingFault(of: update, state, model) ?? sectionFault(of: update, state, model)
    }

    /// New items of sections are requested first, then single items, both in ascending order.
    private func insertionFault(of update: ValidatedChangeSet, requested: [ItemPath]) -> String? {
        let single = Set(update.itemInsertions.map(\.path))
        var inSections: [ItemPath] = []
        for edit in update.sectionInsertions {
            let isNew = edit.role != .move
            let paths = new.paths.filter {
                isNew && $0.section == edit.section && !single.contains($0)
            }
            let runs = update.newItems(ofSection: edit).flatMap { Array($0) }
            if update.newItemPaths(ofSection: edit) != paths || runs != paths.map(\.item) {
                return "new items of \(edit)"
            }
            inSections += paths
        }
        let oneByOne = update.itemInsertions.filter { $0.role != .move }.map(\.path)
        return requested == inSections + oneByOne ? nil : "requests \(requested)"
    }

    /// Compares the queries about every item, and about one beyond each end, with the model.
    private func mappingFault(
        of update: ValidatedChangeSet,
        _ state: ArrayModel.State,
        _ model: ArrayModel
    ) -> String? {
        let oldPaths = Dictionary(uniqueKeysWithValues: state.paths.map { ($1, $0) })
        for section in -1...old.numberOfSections {
            var lastItem: ItemPath?
            for item in -1...(old.numberOfItems(inSection: section) ?? 0) {
                let path = ItemPath(section: section, item: item)
                let newPath = state.paths[path]
                let isReplaced = model.reloads.contains(path)
                guard update.newPath(for: path) == newPath,
                    update.survivingPath(of: path) == (isReplaced ? nil : newPath),
                    update.animation(ofOldItem: path) == model.option(ofOld: path, newPath)
                else { return "\(path) goes to \(update.newPath(for: path) as Any)" }
                if let newPath, !model.moves.contains(where: { $0.from == path }) {
                    if let lastItem, newPath <= lastItem { return "items of \(section) cross" }
                    lastItem = newPath
                }
            }
        }
        for section in -1...new.numberOfSections {
            for item in -1...(new.numberOfItems(inSection: section) ?? 0) {
                let path = ItemPath(section: section, item: item)
                let oldPath = oldPaths[path]
                let isReplaced = oldPath.map(model.reloads.contains) ?? false
                guard update.oldPath(for: path) == oldPath,
                    update.formerPath(of: path) == (isReplaced ? nil : oldPath),
                    update.animation(ofNewItem: path) == model.option(ofNew: path, oldPath, state)
                else { return "\(path) comes from \(update.oldPath(for: path) as Any)" }
            }
        }
        return nil
    }

    private func sectionFault(
        of update: ValidatedChangeSet,
        _ state: ArrayModel.State,
        _ model: ArrayModel
    ) -> String? {
        let oldSections = Dictionary(uniqueKeysWithValues: state.sections.map { ($1, $0) })
        var last: Int?
        for section in -1...old.numberOfSections {
            let target = state.sections[section]
            let isReplaced = model.sectionReloads.contains(section)
            guard update.newSection(for: section) == target,
                update.sectionMapping.newIndex(for: section) == target,
                update.survivingSection(of: section) == (isReplaced ? nil : target),
                update.animation(ofOldSection: section) == model.option(ofOldSection: section)
            else { return "section \(section) has a wrong target" }
            if let target, !model.sectionMoves.contains(where: { $0.from == section }) {
                if let last, target <= last { return "sections cross" }
                last = target
            }
        }
        for section in -1...new.numberOfSections {
            let source = oldSections[section]
            let isReplaced = source.map(model.sectionReloads.contains) ?? false
            guard update.oldSection(for: section) == source,
                update.sectionMapping.oldIndex(for: section) == source,
                update.formerSection(of: section) == (isReplaced ? nil : source),
                update.animation(ofNewSection: section)
                    == model.option(ofNewSection: section, source)
            else { return "section \(section) has a wrong source" }
            for kind in [SupplementaryKind.header, .footer]
            where update.animation(ofReloaded: kind, inNewSection: section)
                != model.option(.supplementary(kind, section))
            { return "wrong option for a \(kind) of section \(section)" }
        }
        return nil
    }
}

// MARK: - The edits of the model

extension ArrayModel {
    /// All parts of an update.
    struct Edits: Equatable {
        var itemRemovals: [ItemEdit] = []
        var sectionRemovals: [SectionEdit] = []
        var sectionInsertions: [SectionEdit] = []
        var itemInsertions: [ItemEdit] = []
        var reconfigurations: [ItemReconfiguration] = []
        var supplementaryReloads: [SupplementaryReload] = []
    }

    private func isGone(_ section: Int) -> Bool {
        sectionDeletes.contains(section) || sectionReloads.contains(section)
    }

    /// Returns the edits in their fixed order, place by place.
    func edits(_ state: State) -> Edits {
        var edits = Edits()
        let oldPaths = Dictionary(uniqueKeysWithValues: state.paths.map { ($1, $0) })
        for path in HierarchyShape(old).paths.reversed() {
            let newPath = state.paths[path]
            if let (from, to) = moves.first(where: { $0.from == path }) {
                let option = option(.move(from, to)) ?? .automatic
                let half = ItemEdit(path: to, role: .move, associatedWith: from, animation: option)
                edits.itemInsertions.append(half)
                edits.itemRemovals.append(
                    ItemEdit(path: from, role: .move, associatedWith: to, animation: option)
                )
            } else if !isGone(path.section), let option = option(.removal(path)) {
                let role = reloads.contains(path) ? EditRole.reload : .delete
                edits.itemRemovals.append(
                    ItemEdit(path: path, role: role, associatedWith: newPath, animation: option)
                )
                guard let newPath else { continue }
                edits.itemInsertions.append(
                    ItemEdit(path: newPath, role: role, associatedWith: path, animation: option)
                )
            }
            let isReplaced = isGone(path.section) && !moves.contains { $0.from == path }
            if let newPath, !isReplaced, !reloads.contains(path), let option = option(.update(path))
            {
                edits.reconfigurations.append(
                    ItemReconfiguration(oldPath: path, newPath: newPath, animation: option)
                )
            }
        }
        for path in HierarchyShape(new).paths where oldPaths[path] == nil {
            let isNew = state.sections.values.contains(path.section)
            let origin = state.sections.first { $0.value == path.section }?.key
            if isNew, !isGone(origin ?? -1), let option = option(.insertion(path)) {
                edits.itemInsertions.append(ItemEdit(path: path, role: .insert, animation: option))
            }
        }
        edits.itemInsertions.sort { $0.path < $1.path }
        edits.reconfigurations.sort { $0.newPath < $1.newPath }
        addSections(to: &edits, state)
        for (claim, value) in claims {
            guard case .supplementary(let kind, let section) = claim else { continue }
            edits.supplementaryReloads.append(
                SupplementaryReload(kind: kind, newSection: section, animation: value.option)
            )
        }
        edits.supplementaryReloads.sort { ($0.newSection, $0.kind) < ($1.newSection, $1.kind) }
        return edits
    }

    private func addSections(to edits: inout Edits, _ state: State) {
        for section in old.indices.reversed() {
            guard let option = option(ofOldSection: section) else { continue }
            let isDeleted = sectionDeletes.contains(section)
            let role: EditRole =
                isDeleted ? .delete : sectionReloads.contains(section) ? .reload : .move
            edits.sectionRemovals.append(
                SectionEdit(
                    section: section,
                    role: role,
                    associatedWith: isDeleted ? nil : state.sections[section],
                    animation: option
                )
            )
        }
        for section in new.indices {
            let source = state.sections.first { $0.value == section }?.key
            guard let option = option(ofNewSection: section, source) else { continue }
            let isReload = source.map(sectionReloads.contains) ?? false
            let role: EditRole = source == nil ? .insert : isReload ? .reload : .move
            edits.sectionInsertions.append(
                SectionEdit(
                    section: section,
                    role: role,
                    associatedWith: source,
                    newItemCount: role == .move
                        ? 0 : new[section] - moves.count { $0.to.section == section },
                    animation: option
                )
            )
        }
    }

    // MARK: Options

    func option(ofOldSection section: Int) -> AnimationOption? {
        guard old.indices.contains(section) else { return nil }
        return option(.sectionRemoval(section))
            ?? sectionMoves.first { $0.from == section }.flatMap { option(.sectionMove($0, $1)) }
    }

    func option(ofNewSection section: Int, _ source: Int?) -> AnimationOption? {
        guard new.indices.contains(section) else { return nil }
        guard let source else { return option(.sectionInsertion(section)) }
        return option(ofOldSection: source)
    }

    /// Returns the option of the closest edit of the item: its own, its section's, or its
    /// reconfiguration.
    func option(ofOld path: ItemPath, _ newPath: ItemPath?) -> AnimationOption? {
        guard HierarchyShape(old).contains(path) else { return nil }
        if let move = moves.first(where: { $0.from == path }) {
            return option(.move(move.0, move.1))
        }
        if isGone(path.section) { return option(ofOldSection: path.section) }
        return option(.removal(path)) ?? option(ofOldSection: path.section) ?? option(.update(path))
    }

    func option(ofNew path: ItemPath, _ oldPath: ItemPath?, _ state: State) -> AnimationOption? {
        guard HierarchyShape(new).contains(path) else { return nil }
        if let move = moves.first(where: { $0.to == path }) { return option(.move(move.0, move.1)) }
        let source = state.sections.first { $0.value == path.section }?.key
        let section = option(ofNewSection: path.section, source)
        guard let source, !isGone(source) else { return section }
        guard let oldPath else { return option(.insertion(path)) ?? section }
        return option(.removal(oldPath)) ?? section ?? option(.update(oldPath))
    }
}

extension ArrayModel.Edits {
    init(_ update: ValidatedChangeSet) {
        itemRemovals = update.itemRemovals
        sectionRemovals = update.sectionRemovals
        sectionInsertions = update.sectionInsertions
        itemInsertions = update.itemInsertions
        reconfigurations = update.reconfigurations
        supplementaryReloads = update.supplementaryReloads
    }
}
