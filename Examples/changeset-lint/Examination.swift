import CollectionPipeline

/// What became of a scenario in a real pipeline.
struct Examination: Sendable {
    let profile: ValidationProfile
    let verdict: Verdict
    /// Where the pipeline broke a guarantee of its own; empty, unless it has a bug.
    let faults: [String]

    enum Verdict: Sendable {
        case accepted(Acceptance)
        case refused(HierarchyUpdateError)
    }

    /// What an accepted change set led to.
    struct Acceptance: Sendable {
        let update: ValidatedChangeSet
        /// The requests for content, in order.
        var asks: [String]
        /// The sections afterwards: `sN` for the old section N, `tK` for the K-th asked for.
        let sections: [String]
        /// The items afterwards, by section: `oS.I` for an old one, `nK` for the K-th asked for.
        var map: [[String]]
    }
}
