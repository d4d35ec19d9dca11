import CollectionElements
import CollectionPipeline

// A client that undoes and redoes what it did itself.

extension SimulatedRun {
    /// What a task does with its client's history.
    enum HistoryCall {
        case edit(UInt64)
        case undo
        case redo
    }

    func perform(
        _ call: HistoryCall,
        _ token: Int,
        _ controller: DataController<ReferenceModel>
    ) async throws(UpdateError) -> String {
        let history = history ?? UndoHistory(of: controller, limit: 3)
        self.history = isAbandoned ? nil : history
        do {
            switch call {
            case .edit(let seed):
                return try await history.performBatchUpdates { [self] model, changes in
                    try checkBeforeUndoing(token, model)
                    var random = SeededGenerator(seed: seed)
                    model.editItems(&random, &changes)
                }.outcome.name
            case .undo:
                return try await history.undo { [self] model, step in
                    try checkBeforeUndoing(token, model)
                    take(step, in: model)
                }.outcome.name
            case .redo:
                return try await history.redo { [self] model, step in
                    try checkBeforeUndoing(token, model)
                    take(step, in: model)
                }.outcome.name
            }
        } catch {
            if error.code == .invalidUpdate {
                note("Whole Or Nothing", "what was undone was rejected: \(error.summary)")
            }
            throw error
        }
    }

    /// Nobody could take back what was never accepted, or what has been cleared.
    private func checkBeforeUndoing(_ token: Int, _ model: ReferenceModel) throws {
        checkNotCancelled(token)
        let counts = model.sections.map(\.items.count)
        if model.isDiverged() || controller?.pendingMap.shape.itemCounts != counts {
            throw Withdrawal(PlannedFailure())
        }
    }

    private func take(_ step: UndoStep, in model: ReferenceModel) {
        var items = model.sections.map(\.items)
        let before = Set(items.joined().map(\.id))
        do {
            try step.apply(to: &items)
        } catch {
            return note("Whole Or Nothing", "a step cannot be undone: \(error)")
        }
        let after = items.joined().map(\.id)
        let fresh =
            step.update.itemInsertions.filter { $0.role != .move }.map(\.path)
            + step.update.sectionInsertions.flatMap { edit in
                step.update.freshItems(ofSection: edit).joined()
                    .map { ItemPath(section: edit.section, item: $0) }
            }
        // What comes back is what went, and was nowhere in the meantime.
        if Set(after).count != after.count || Set(after).subtracting(before).count > fresh.count {
            note(
                "Whole Or Nothing",
                "undoing made \(after) of \(before.sorted()) by \(Array(step.update.edits))"
            )
        }
        // As fresh as anything else: what shows it is measured once.
        for path in fresh + step.update.reconfigurations.map(\.newPath) {
            items[path.section][path.item].revision = model.freshItem().id * 1_000
        }
        model.replaceItems(items)
        mark("undone")
    }
}

extension ReferenceModel {
    /// Deletes, inserts and updates some items, and records exactly that.
    fileprivate func editItems(_ random: inout SeededGenerator, _ changes: inout BatchRecorder) {
        for section in sections.indices {
            var kept: [ModelItem] = []
            for (item, value) in sections[section].items.enumerated() {
                let path = ItemPath(section: section, item: item)
                switch random.next(below: 6) {
                case 0: changes.deleteItems(at: [path])
                case 1:
                    changes.reconfigureItems(at: [path])
                    kept.append(ModelItem(id: value.id, revision: value.revision + 1))
                default: kept.append(value)
                }
            }
            if random.isTrue(oneIn: 2) {
                let item = random.next(below: kept.count + 1)
                kept.insert(freshItem(), at: item)
                changes.insertItems(at: [ItemPath(section: section, item: item)])
            }
            replaceItems(of: section) { $0 = kept }
        }
    }
}
