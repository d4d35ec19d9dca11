import CollectionElements
import CollectionPipeline

// Clients that wait with `async`, in tasks whose pieces are steps of the simulation.

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
        // It holds the controller as long as it runs, as a task of an application would.
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

    /// The second list, which is made when it is needed first.
    func makeBoard() -> SimulatedBoard {
        let board = board ?? SimulatedBoard(self)
        self.board = board
        return board
    }

    /// - Returns: what is counted.
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
            await controller.reached(.handedOver)
            checkHandedOver(awaited)
        case .readModel: _ = await controller.withDataSource { $0.sections.count }
        }
        return "task ended"
    }

    /// What a cancelled task waited to do must not be done.
    func checkNotCancelled(_ token: Int) {
        if arrivedCancellations.contains(token) {
            note("Bounded Backlog", "the updates of \(token) run after it was cancelled")
        }
    }

    /// Records against the newest map, off the main lane; by the time that it is taken in there may be a newer.
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
            // Nobody could have recorded against what was never accepted.
            if model.isDiverged() { throw PlannedFailure() }
            if model.acceptedGeneration() != map.generation {
                note("Whole Or Nothing", "a stale record reaches the model")
            }
            for path in paths.sorted(by: >) {
                model.replaceItems(of: path.section) { $0.remove(at: path.item) }
            }
        }.outcome.name
    }
}
