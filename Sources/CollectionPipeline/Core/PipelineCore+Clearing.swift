import CollectionElements

// Submissions that ask the data source for nothing: an empty collection.

extension PipelineCore {
    /// Replaces everything by nothing, without asking the data source; what comes next is a first
    /// load again.
    @discardableResult
    func clear(_ request: SubmissionRequest) throws(UpdateError) -> SubmissionID {
        try admit(request)
        let id = try submit(request) { () throws(UpdateError) in
            Latched(
                update: .reloadingData(from: pendingMap.shape, to: .empty),
                map: pendingMap.emptied(generation: pendingMap.generation + 1),
                nextSectionID: sourceState.nextSectionID,
                accountsForCounts: true
            )
        }
        sourceState.hasLoaded = false
        return id
    }

    /// What a batch checks when it begins, but for its place: whoever calls from there has checked that.
    func admit(_ request: SubmissionRequest) throws(UpdateError) {
        if let reason = reasonToReject(request.backlogEffect) { throw rejected(reason, request) }
    }
}
