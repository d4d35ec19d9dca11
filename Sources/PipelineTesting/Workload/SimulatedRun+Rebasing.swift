import CollectionElements
import CollectionPipeline

// A client that works on a map of its own while others go on, and submits what it did to that.

extension SimulatedRun {
    /// Deletes, moves and inserts items of the newest map, off the main lane; by the time that it is taken in there
    /// may be a newer.
    func submitRebased(
        _ seed: UInt64,
        _ token: Int,
        _ controller: DataController<ReferenceModel>
    ) async throws(UpdateError) -> String {
        let map = controller.pendingMap
        var random = SeededGenerator(seed: seed)
        guard let mine = Self.update(of: map, &random) else { return "task ended" }
        // One client may want its insertions before those of others.
        let order: RebaseOrder = random.isTrue(oneIn: 3) ? .earlier : .later
        do {
            return try await controller.submit(
                mine,
                recordedAgainst: map,
                whenStale: .rebase(order)
            ) { [self] model, rebased in
                checkNotCancelled(token)
                // Nobody could bring up to date what was never accepted, or what has been cleared.
                let counts = model.sections.map(\.items.count)
                if model.isDiverged() || self.controller?.pendingMap.shape.itemCounts != counts {
                    throw PlannedFailure()
                }
                apply(rebased, of: mine, from: map, to: model)
            }.outcome.name
        } catch {
            if error.code == .stale || error.code == .invalidUpdate {
                note("Whole Or Nothing", "what was rebased was rejected: \(error.summary)")
            }
            throw error
        }
    }

    private func apply(
        _ rebased: RebasedChangeSet,
        of mine: ValidatedChangeSet,
        from map: ElementMap,
        to model: ReferenceModel
    ) {
        let before = Set(model.sections.flatMap { $0.items.map(\.id) })
        // By identity, as the pipeline itself does it.
        let newest = controller?.pendingMap
        let deleted = mine.itemRemovals.lazy.filter { $0.role == .delete }.compactMap { edit in
            map.element(at: edit.path).flatMap { newest?.path(of: $0) }
        }
        let gone = Set(deleted.map { model.sections[$0.section].items[$0.item].id })
        var items = model.sections.map(\.items)
        var fresh: Set<Int> = []
        do {
            try rebased.update.apply(to: &items) { _ in
                let item = model.freshItem()
                fresh.insert(item.id)
                return item
            }
        } catch {
            return note("Whole Or Nothing", "what was rebased starts elsewhere: \(error)")
        }
        for (section, items) in items.enumerated() {
            model.replaceItems(of: section) { $0 = items }
        }
        let dropped = rebased.dropped.count { $0.reason == .targetGone && $0.isInsertion }
        let inserted = mine.itemInsertions.count { $0.role == .insert } - dropped
        let after = Set(items.joined().map(\.id))
        if newest != nil, after != before.subtracting(gone).union(fresh) || fresh.count != inserted
        {
            note(
                "Whole Or Nothing",
                "rebasing removed \(before.subtracting(after).sorted()) in place of"
                    + " \(gone.sorted()), and inserted \(fresh.count) in place of \(inserted)"
            )
        }
        mark("rebased")
    }

    /// Some edits of items.
    private static func update(
        of map: ElementMap,
        _ random: inout SeededGenerator
    ) -> ValidatedChangeSet? {
        var counts = map.shape.itemCounts
        guard !counts.isEmpty else { return nil }
        var changes = HierarchyChangeSet()
        var moved: [ItemPath] = []
        for path in map.items.map(\.path) {
            switch random.next(below: 6) {
            case 0: changes.deleteItems(at: [path])
            case 1 where moved.count < 2: moved.append(path)
            default: continue
            }
            counts[path.section] -= 1
        }
        let insertions = random.next(below: 3)
        let targets = (0..<(moved.count + insertions)).map { _ in random.next(below: counts.count) }
        for section in targets { counts[section] += 1 }
        var free = counts.map { Array(0..<$0) }
        for (index, section) in targets.enumerated() {
            let item = free[section].remove(at: random.next(below: free[section].count))
            let path = ItemPath(section: section, item: item)
            if index < moved.count {
                changes.moveItem(at: moved[index], to: path)
            } else {
                changes.insertItems(at: [path])
            }
        }
        return try? changes.validated(from: map.shape, to: HierarchyShape(counts))
    }
}

extension DroppedEdit {
    /// Whether an item is not inserted.
    fileprivate var isInsertion: Bool {
        if case .edit(.insertItem(let edit)) = subject { edit.role == .insert } else { false }
    }
}
