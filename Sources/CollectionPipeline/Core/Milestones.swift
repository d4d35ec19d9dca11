/// Who waits for which point in the life of what was submitted.
///
/// A value: asked who is due, it returns and forgets them. The main lane owns it.
struct Milestones {
    typealias Callback = @Sendable () -> Void

    private var processed: [Callback] = []
    private var synchronized: [Callback] = []
    private var handedOver: [(generation: Int, resume: Callback)] = []

    /// Calls `callback` when nothing is on its way to the view.
    mutating func awaitProcessed(_ callback: @escaping Callback) { processed.append(callback) }

    /// Calls `callback` when every submission has completed.
    mutating func awaitSynchronized(_ callback: @escaping Callback) {
        synchronized.append(callback)
    }

    /// Calls `resume` when everything up to `generation` was handed over.
    mutating func awaitHandOver(through generation: Int, _ resume: @escaping Callback) {
        handedOver.append((generation, resume))
    }

    /// Those who waited for hand-overs that have come, in the order in which they asked.
    mutating func takeHandedOver(_ isHandedOver: (Int) -> Bool) -> [Callback] {
        guard !handedOver.isEmpty else { return [] }
        let due = handedOver.filter { isHandedOver($0.generation) }
        handedOver.removeAll { isHandedOver($0.generation) }
        return due.map(\.resume)
    }

    /// Those who waited until nothing is on its way.
    mutating func takeProcessed() -> [Callback] {
        defer { processed = [] }
        return processed
    }

    /// Those who waited until everything has completed.
    mutating func takeSynchronized() -> [Callback] {
        defer { synchronized = [] }
        return synchronized
    }
}
