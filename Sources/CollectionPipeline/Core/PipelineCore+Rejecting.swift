import CollectionElements

// A submission is rejected, but what its caller did to the model stays.

extension PipelineCore {
    /// Rejects what a caller submitted, after its model may have changed; returns the error to throw.
    func rejected(_ error: UpdateError, _ request: SubmissionRequest) -> UpdateError {
        let mayDiverge = error.code.mayDiverge && !request.restoresModel
        if mayDiverge {
            sourceState.divergences.rejected(
                request.id,
                pendingMap,
                nextSectionID: sourceState.nextSectionID
            )
            published.withLock { $0.divergence = sourceState.divergences.current }
        }
        let error = located(error, request.id)
        reject(error, completions: request.completions, context: request.context)
        if configuration.rejectionPolicy == .reload, mayDiverge, !request.isAutomatic {
            lane.enqueue { [self] in
                // After the open batch, which was recorded against the map that there is.
                let id = makeSubmissionID()
                receive(
                    Visitor(id: id, needsRoom: false) { [self] in
                        reloadAfterRejection(id)
                    } sendAway: { _ in
                    }
                )
            }
        }
        return error
    }

    /// What the `.reload` policy does, once for every rejection. If the reload is rejected as well, nothing follows
    /// on that.
    func reloadAfterRejection(_ id: SubmissionID) {
        // An earlier one, or the caller's own, may have caught up already.
        guard divergence != nil else { return }
        let request = SubmissionRequest(id: id, isAutomatic: true)
        _ = try? submit(HierarchyChangeSet([.reloadData()]), request)
    }

    /// Adds what the controller knows to an error.
    func located(_ error: UpdateError, _ id: SubmissionID) -> UpdateError {
        var error = error
        error.submission = id
        error.divergence = divergence
        return error
    }

    func reject(
        _ error: UpdateError,
        completions: [UpdateCompletion],
        context: (any Sendable)?
    ) {
        // Not the error, which may hold whatever the application threw.
        lastError = String("\(error)".prefix { $0 != "\n" })
        let id = error.submission ?? makeSubmissionID()
        observe(.rejected, id, context) {
            $0.error = error
            $0.divergence = divergence
        }
        complete(completions, id, .rejected(error), context: context)
    }
}
