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
    /// Whether the observer knows of a difference that no check has found to be over.
    private var isTold = false
    /// Whether the observer knows of items that cannot be compared, of which it is told once.
    private var isToldOfUnchecked = false
    /// What the checks of the configuration found first; a difference outranks what cannot be compared.
    private(set) var firstFinding: Disagreement?

    /// A set that brings everything was accepted: what was told is over.
    mutating func renewed() { isTold = false }

    /// Keeps what a check of the configuration found.
    mutating func note(_ found: Disagreement?) {
        if firstFinding == nil || firstFinding?.reason != .differs && found?.reason == .differs {
            firstFinding = found
        }
    }

    /// A check found something, or nothing.
    ///
    /// - Returns: whether to tell of it: the first says where to look, and others follow on it.
    mutating func checked(_ found: Disagreement?, isComplete: Bool) -> Bool {
        let differs = found?.reason == .differs
        defer {
            if differs || isComplete { isTold = differs }
            if found != nil, !differs { isToldOfUnchecked = true }
        }
        // After what was told a sample that finds nothing proves nothing.
        if found == nil, isComplete || !isTold { lastAgreement = lastAccepted }
        return differs ? !isTold : found != nil && !isToldOfUnchecked
    }
}
