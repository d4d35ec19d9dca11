/// How far the models of map and data source were found to agree.
///
/// A value; the main lane owns it.
struct ContentAgreement {
    /// The set that was accepted last.
    var lastAccepted: SubmissionID?
    /// The one after which a check found nothing last.
    private(set) var lastAgreement: SubmissionID?
    /// Where the next sample begins.
    var nextSample = ItemPath(section: 0, item: 0)
    /// Whether the observer knows of a disagreement that no check has found to be over.
    private var isTold = false

    /// A set that brings everything was accepted: what was told is over.
    mutating func renewed() { isTold = false }

    /// A check found something, or nothing.
    ///
    /// - Returns: whether to tell of it: the first says where to look, and others follow on it.
    mutating func checked(finding isFound: Bool, isComplete: Bool) -> Bool {
        defer { if isFound || isComplete { isTold = isFound } }
        // After what was told a sample that finds nothing proves nothing.
        if !isFound, isComplete || !isTold { lastAgreement = lastAccepted }
        return isFound && !isTold
    }
}
