import CollectionElements
import CollectionPipeline
import PipelineTesting

// Clients that use `async` calls, in tasks whose parts are steps of the simulation.

extension SimulatedRun {
    /// A task that has not ended.
    struct RunningTask {
        let token: Int
        let task: Task<Void, Never>
    }

    /// Starts a task on a client's lane.
    func startTask(_ call: RunPlan.TaskCall, on client: any Lane) {
        guard let controller else { return }
        let token = newToken()
        // The task holds the controller while it runs, like a task of an application.
        let task = Task(executorPreference: LaneTaskExecutor(client)) { [self] in
            let name: String
            do throws(UpdateError) {
                name = try await perform(call, token, controller)
            } catch {
                name = error.code == .cancelled ? "cancelled" : "rejected"
            }
            tasks.removeAll { $0.token == token }
            count(token, name)
        }
        tasks.append(RunningTask(token: token, task: task))
    }

    /// Cancels the task that began last.
    func cancelTask() {
        guard let running = tasks.last else { return }
        cancelledTokens.insert(running.token)
        mark("task cancelled")
        running.task.cancel()
        lane.enqueue { [self] in _ = arrivedCancellations.insert(running.token) }
    }

    /// Returns the second list, which is created when it is first needed.
    func makeBoard() -> SimulatedBoard {
        let board = board ?? SimulatedBoard(self)
        self.board = board
        return board
    }

    /// - Returns: The name of the counter for the outcome.
    private func perform(
        _ call: RunPlan.TaskCall,
        _ token: Int,
        _ controller: DataController<ReferenceModel>
    ) async throws(UpdateError) -> String {
        switch call {
        case .edit(let seed):
            return try await controller.performBatchUpdates { [self] model, changes in
                checkNotCancelled(token)
                var random = SeededGenerator(seed: seed)
                model.edit(&random, &changes)
            }.outcome.name
        case .record(let seed): return try await submitRecord(seed, token, controller)
        case .rebase(let seed): return try await submitRebased(seed, token, controller)
        case .own(let seed): return try await perform(HistoryCall.edit(seed), token, controller)
        case .group(let seed): return try await perform(HistoryCall.group(seed), token, controller)
        case .undo: return try await perform(HistoryCall.undo, token, controller)
        case .redo: return try await perform(HistoryCall.redo, token, controller)
        case .apply(let seed): return try await makeBoard().apply(seed)
        case .reload: return try await controller.reloadData().outcome.name
        case .relayoutAll: return try await controller.relayoutAllNodes().outcome.name
        case .relayoutFirst:
            nodes.noteRelayout()
            let first = ItemPath(section: 0, item: 0)
            return try await controller.relayoutItems(at: [first]).outcome.name
        case .node(let seed):
            guard let element = someElement(seed), let node = try? await element.node else { break }
            checkTraits(of: node, of: element)
        case .handedOver:
            let awaited = acceptedIDs
            await controller.whenReached(.deliveredToView)
            checkHandedOver(awaited)
        case .readModel: _ = await controller.withDataSource { $0.sections.count }
        }
        return "task ended"
    }

    /// Checks that a cancelled task does not run its closure.
    func checkNotCancelled(_ token: Int) {
        if arrivedCancellations.contains(token) {
            note("Bounded Backlog", "the updates of \(token) run after it was cancelled")
        }
    }

    /// Records against the newest map off the main lane; a newer one may exist when the record is
    /// applied.
    private func submitRecord(
        _ seed: UInt64,
        _ token: Int,
        _ controller: DataController<ReferenceModel>
    ) async throws(UpdateError) -> String {
        let map = controller.pendingMap
        var random = SeededGenerator(seed: seed)
        let paths = map.items.map(\.path).filter { _ in random.isTrue(oneIn: 4) }
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: paths)
        return try await controller.submit(changes, recordedAgainst: map) { [self] model in
            checkNotCancelled(token)
            // A rejected state cannot be the base of a record.
            if model.isDiverged() { throw InjectedFault() }
            if model.acceptedGeneration() != map.generation {
                note("Whole Or Nothing", "a stale record reaches the model")
            }
            for path in paths.sorted(by: >) {
                model.replaceItems(of: path.section) { $0.remove(at: path.item) }
            }
        }.outcome.name
    }
}

// A client that edits its own map while others continue, and then submits its edits rebased.

extension SimulatedRun {
    /// Deletes, moves and inserts items of the newest map off the main lane; a newer map may exist
    /// when the edits are applied.
    func submitRebased(
        _ seed: UInt64,
        _ token: Int,
        _ controller: DataController<ReferenceModel>
    ) async throws(UpdateError) -> String {
        let map = controller.pendingMap
        var random = SeededGenerator(seed: seed)
        guard let mine = Self.update(of: map, &random) else { return "task ended" }
        // Sometimes the client wants its insertions before those of others.
        let order: RebaseOrder = random.isTrue(oneIn: 3) ? .earlier : .later
        do {
            return try await controller.submit(
                mine,
                recordedAgainst: map,
                whenStale: .rebase(order)
            ) { [self] model, rebased in
                checkNotCancelled(token)
                // Edits cannot be rebased onto a rejected or a cleared state.
                let counts = model.sections.map(\.items.count)
                if model.isDiverged() || self.controller?.pendingMap.shape.itemCounts != counts {
                    throw InjectedFault()
                }
                apply(rebased, of: mine, from: map, to: model)
            }.outcome.name
        } catch {
            if error.code == .stale || error.code == .invalidUpdate {
                note("Whole Or Nothing", "a rebased update was rejected: \(error.summary)")
            }
            throw error
        }
    }

    func apply(
        _ rebased: RebasedChangeSet,
        of mine: ValidatedChangeSet,
        from map: ElementMap,
        to model: ReferenceModel
    ) {
        let before = Set(model.sections.flatMap { $0.items.map(\.id) })
        // Finds the deleted items by identity, like the pipeline.
        let newest = controller?.pendingMap
        let deleted = mine.itemRemovals.lazy.filter { $0.role == .delete }.compactMap { edit in
            map.element(at: edit.path).flatMap { newest?.path(of: $0) }
        }
        let gone = Set(deleted.map { model.sections[$0.section].items[$0.item].id })
        var items = model.sections.map(\.items)
        if newest != nil { checkOptions(rebased.update, items) }
        var insertedIDs: Set<Int> = []
        do {
            try rebased.update.apply(to: &items) { _ in
                let item = model.makeItem()
                insertedIDs.insert(item.id)
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
        if newest != nil,
            after != before.subtracting(gone).union(insertedIDs) || insertedIDs.count != inserted
        {
            note(
                "Whole Or Nothing",
                "rebasing removed \(before.subtracting(after).sorted()) in place of"
                    + " \(gone.sorted()), and inserted \(insertedIDs.count) in place of \(inserted)"
            )
        }
        mark("rebased")
    }

    /// Returns the animation option of an item's deletion, which identifies it wherever it moves.
    private static func option(of id: Int) -> AnimationOption {
        [.fade, .leading, .trailing, .top, .bottom][id % 5]
    }

    /// Checks that each rebased edit keeps its recorded option.
    func checkOptions(_ update: ValidatedChangeSet, _ items: [[ModelItem]]) {
        let deletions = update.itemRemovals.filter { $0.role == .delete }
        let wrong = deletions.first { edit in
            edit.animation != Self.option(of: items[edit.path.section][edit.path.item].id)
        }
        let insertion = update.itemInsertions.first { $0.role == .insert && $0.animation != .none }
        for edit in [wrong, insertion].compactMap(\.self) {
            note("Whole Or Nothing", "rebasing gave another option to \(edit)")
        }
        for _ in deletions { meet(.rebasedOption) }
    }

    /// Returns random edits of items.
    private static func update(
        of map: ElementMap,
        _ random: inout SeededGenerator
    ) -> ValidatedChangeSet? {
        var counts = map.shape.itemCounts
        guard !counts.isEmpty else { return nil }
        var changes = HierarchyChangeSet()
        var moved: [ItemPath] = []
        for item in map.items {
            let path = item.path
            switch random.next(below: 6) {
            case 0:
                let id = (item.content.model as? ModelItem)?.id ?? 0
                changes.deleteItems(at: [path], animation: Self.option(of: id))
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
                changes.insertItems(at: [path], animation: .none)
            }
        }
        return try? changes.validated(from: map.shape, to: HierarchyShape(counts))
    }
}

extension DroppedEdit {
    /// Whether the dropped edit inserts an item.
    fileprivate var isInsertion: Bool {
        if case .edit(.insertItem(let edit)) = subject { edit.role == .insert } else { false }
    }
}

// A client that undoes and redoes its own edits.

extension SimulatedRun {
    /// A task's call of its client's undo history.
    enum HistoryCall {
        case edit(UInt64)
        /// Two edits that are undone as one.
        case group(UInt64)
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
            case .edit(let seed): return try await editOwn(seed, token, history)
            case .group(let seed):
                let result = await history.group { () -> Result<String, UpdateError> in
                    do throws(UpdateError) {
                        _ = try await editOwn(seed, token, history)
                        return .success(try await editOwn(~seed, token, history))
                    } catch {
                        return .failure(error)
                    }
                }
                meet(.group)
                return try result.get()
            case .undo:
                return try await history.undo { [self] model, step in
                    try checkBeforeUndoing(token, model)
                    apply(step, in: model)
                }.outcome.name
            case .redo:
                return try await history.redo { [self] model, step in
                    try checkBeforeUndoing(token, model)
                    apply(step, in: model)
                }.outcome.name
            }
        } catch {
            if error.code == .invalidUpdate {
                note("Whole Or Nothing", "an undo step was rejected: \(error.summary)")
            }
            throw error
        }
    }

    private func editOwn(
        _ seed: UInt64,
        _ token: Int,
        _ history: UndoHistory<ReferenceModel>
    ) async throws(UpdateError) -> String {
        try await history.performBatchUpdates { [self] model, changes in
            try checkBeforeUndoing(token, model)
            var random = SeededGenerator(seed: seed)
            model.editItems(&random, &changes)
        }.outcome.name
    }

    /// A rejected or cleared state cannot be undone.
    private func checkBeforeUndoing(_ token: Int, _ model: ReferenceModel) throws {
        checkNotCancelled(token)
        let counts = model.sections.map(\.items.count)
        if model.isDiverged() || controller?.pendingMap.shape.itemCounts != counts {
            throw Withdrawal(InjectedFault())
        }
    }

    private func apply(_ step: UndoStep, in model: ReferenceModel) {
        var items = model.sections.map(\.items)
        let before = Set(items.joined().map(\.id))
        do {
            try step.apply(to: &items)
        } catch {
            return note("Whole Or Nothing", "a step cannot be undone: \(error)")
        }
        let after = items.joined().map(\.id)
        let inserted =
            step.update.itemInsertions.filter { $0.role != .move }.map(\.path)
            + step.update.sectionInsertions.flatMap { edit in
                step.update.newItems(ofSection: edit).joined()
                    .map { ItemPath(section: edit.section, item: $0) }
            }
        // Reinserted items are exactly the removed ones, which existed nowhere in the meantime.
        if Set(after).count != after.count || Set(after).subtracting(before).count > inserted.count
        {
            note(
                "Whole Or Nothing",
                "undoing made \(after) of \(before.sorted()) by \(Array(step.update.edits))"
            )
        }
        // New revisions let each content be measured once, like any new item.
        for path in inserted + step.update.reconfigurations.map(\.newPath) {
            items[path.section][path.item].revision = model.makeItem().id * 1_000
        }
        model.replaceItems(items)
        mark("undone")
    }
}

extension ReferenceModel {
    /// Deletes, inserts and reconfigures some items, and records exactly these edits.
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
                kept.insert(makeItem(), at: item)
                changes.insertItems(at: [ItemPath(section: section, item: item)])
            }
            replaceItems(of: section) { $0 = kept }
        }
    }
}
