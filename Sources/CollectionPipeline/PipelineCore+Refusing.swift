import CollectionElements

// A submission comes to nothing, but what its caller did to the model stays.

extension PipelineCore {
    /// Refuses what a caller submitted, after its model may have changed; answers the error to
    /// throw.
    func refuse(_ error: UpdateError, _ request: SubmissionRequest) -> UpdateError {
        if error.code.mayDiverge {
            divergences.refused(request.id, pendingMap, nextSectionID: nextSectionID)
            published.withLock { $0.divergence = divergences.current }
        }
        let error = located(error, request.id)
        reject(error, completions: request.completions, context: request.context)
        if configuration.rejectionPolicy == .reload, error.code.mayDiverge, !request.isAutomatic {
            lane.enqueue { [self] in
                // The open batch was recorded against the map that there is.
                whenNoBatchIsOpen { [self] in reloadAfterRejection() }
            }
        }
        return error
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
        let id = error.submission ?? makeSubmissionID()
        observe(.rejected, id, context) {
            $0.error = error
            $0.divergence = divergence
        }
        complete(completions, id, .rejected(error), context: context)
    }
}
