/// Which states were applied and are not submitted yet: one is being compared with what is there, and what comes
/// meanwhile waits, of which the newest is taken next and stands for the others.
///
/// A value: it is told what happened and returns what is to be done. The main lane owns it.
///
/// | a state | is | until |
/// |---|---|---|
/// | comes while none is under way | under way | it is submitted, is no state that could be, or is cancelled |
/// | comes while another is | waiting | that one has ended; then the newest is under way, with those before it as superseded |
/// | waits or is superseded, and its task is cancelled | gone | |
/// | is superseded, and the one that supersedes it is not submitted | waiting | as above |
struct ApplyQueue<Request> {
    /// Those that are under way: the last is compared or waits to come in, the others it supersedes.
    private(set) var underWay: [Request] = []

    /// Those that have come since.
    private(set) var waiting: [Request] = []

    var isEmpty: Bool { underWay.isEmpty && waiting.isEmpty }

    /// A state was applied.
    ///
    /// - Returns: whether to begin with it.
    mutating func arrived(_ request: Request) -> Bool {
        waiting.append(request)
        return underWay.isEmpty
    }

    /// Begins with the newest that waits, if any.
    ///
    /// - Parameter isCancelled: whether its task was cancelled; such a one is not taken.
    /// - Returns: the one to be compared, and those that were cancelled, in order.
    mutating func begin(
        _ isCancelled: (Request) -> Bool
    ) -> (target: Request?, cancelled: [Request]) {
        let cancelled = waiting.filter(isCancelled)
        underWay = waiting.filter { !isCancelled($0) }
        waiting = []
        return (underWay.last, cancelled)
    }

    /// The one under way is submitted.
    ///
    /// - Returns: it, and before it those that it supersedes.
    mutating func submitted() -> [Request] {
        defer { underWay = [] }
        return underWay
    }

    /// The one under way will not be submitted; those that it would have superseded wait again.
    mutating func failed() -> Request? {
        let failed = underWay.popLast()
        waiting = underWay + waiting
        underWay = []
        return failed
    }

    /// The task of one that is not compared was cancelled.
    ///
    /// - Returns: it, unless it is the one under way or gone.
    mutating func cancelled(_ isCancelled: (Request) -> Bool) -> Request? {
        if let position = waiting.firstIndex(where: isCancelled) {
            return waiting.remove(at: position)
        }
        return underWay.dropLast().firstIndex(where: isCancelled).map { underWay.remove(at: $0) }
    }

    /// The controller closes.
    ///
    /// - Returns: all that were not submitted, in order.
    mutating func closed() -> [Request] {
        defer { (underWay, waiting) = ([], []) }
        return underWay + waiting
    }
}
