import CollectionElements

// Updates that were made elsewhere against a map, and come in when there is a newer one.

extension DataController {
    /// Submits an update that was made elsewhere against a map, brought to the newest map where others were accepted
    /// since.
    ///
    /// What others did is found out by the identity of elements, so no history is kept and `map` may be of any age.
    /// What is known when this is called is rebased over by the caller; what is accepted until the turn of the call,
    /// on the main lane.
    ///
    /// - Parameters:
    ///   - update: what is to be done, from the shape of `map`.
    ///   - map: the pending map that the update was made against, or an earlier one that was.
    ///   - policy: what happens where another change set was accepted since.
    ///   - animated: whether the view should animate.
    ///   - context: a value of the caller's, handed back in every outcome and event.
    ///   - updateModel: brings the data source to the state that the rebased update leads to, from the newest that was
    ///     accepted; main lane. Where nothing is left to do, the update has no edits.
    /// - Returns: how the change set reached the view, and which elements failed.
    /// - Throws: why it was rejected, or that it was cancelled: ``UpdateError/Code/stale`` also where `map` is not one of
    ///   this controller's, ``UpdateError/Code/invalidUpdate`` where `update` does not start from its shape.
    /// - Complexity: O((k + m) log n + sections) for k edits and m that others made since, besides what any submission
    ///   costs.
    @discardableResult
    public func submit(
        _ update: ValidatedChangeSet,
        recordedAgainst map: ElementMap,
        whenStale policy: StalePolicy,
        animated: Bool = true,
        context: (any Sendable)? = nil,
        updateModel: @escaping @Sendable (Source, RebasedChangeSet) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        let seen = core.pendingMap
        // What cannot be rebased is rejected in its turn, as everything is.
        let early = Result { () throws(UpdateError) in
            try core.rebase(
                RebasedChangeSet(update: update, dropped: []),
                from: map,
                to: seen,
                policy
            )
        }
        return try await submission { cancellation, completion in
            self.core.submitFromAnywhere(
                context: context,
                cancellation: cancellation,
                completion: completion
            ) { core, id in
                do throws(UpdateError) {
                    let newest = core.pendingMap
                    let rebased = try core.rebase(try early.get(), from: seen, to: newest, policy)
                    Self.perform(core, id, animated, context, completion) { source, recorder in
                        try updateModel(source, rebased)
                        let record = HierarchyChangeSet(recording: rebased.update)
                        for operation in record.operations { recorder.record(operation) }
                    }
                } catch {
                    let error = core.located(error, id)
                    core.reject(error, completions: [completion], context: context)
                }
            }
        }
    }
}

extension PipelineCore {
    /// Brings an update from one map to another of this controller's; callable from anywhere.
    fileprivate func rebase(
        _ mine: RebasedChangeSet,
        from map: ElementMap,
        to newest: ElementMap,
        _ policy: StalePolicy
    ) throws(UpdateError) -> RebasedChangeSet {
        guard map.isOfSameCollection(as: newest) else {
            throw UpdateError(
                .stale,
                "The update was made against a map of another controller; take the pendingMap of this one"
            )
        }
        let isNewest = map.generation == newest.generation
        guard case .rebase(let order) = policy else {
            if isNewest { return mine }
            throw .stale(map, newest)
        }
        do throws(HierarchyUpdateError) {
            try mine.update.checkStart(map.shape)
            if isNewest { return mine }
            let rebased = try mine.update.rebased(over: newest.changes(from: map), as: order)
            return RebasedChangeSet(
                update: rebased.update,
                dropped: mine.dropped + rebased.dropped
            )
        } catch {
            throw UpdateError(error, dataSourceName: dataSourceName)
        }
    }
}

extension UpdateError {
    /// A record that was made against a map which is not the newest any more.
    static func stale(_ map: ElementMap, _ newest: ElementMap) -> UpdateError {
        UpdateError(
            .stale,
            "The change set was recorded against generation \(map.generation), but"
                + " \(newest.generation) is the newest; record it again"
        )
    }
}
