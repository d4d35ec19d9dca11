/// Who waits for which point in the life of what was submitted.
///
/// A value: asked who is due, it returns and forgets them. The main lane owns it.
struct Milestones {
    typealias Callback = @Sendable () -> Void

    private var completed: [Callback] = []
    private var handedOver: [(generation: Int?, callback: Callback)] = []

    /// Calls `callback` when every submission has completed.
    mutating func awaitCompletion(_ callback: @escaping Callback) { completed.append(callback) }

    /// Calls `callback` when everything up to `generation` was handed over; nil where it has been.
    mutating func awaitHandOver(through generation: Int?, _ callback: @escaping Callback) {
        handedOver.append((generation, callback))
    }

    /// Those who waited for hand-overs that have come, in the order in which they asked.
    mutating func takeHandedOver(_ isHandedOver: (Int) -> Bool) -> [Callback] {
        guard !handedOver.isEmpty else { return [] }
        func isDue(_ generation: Int?) -> Bool { generation.map(isHandedOver) ?? true }
        defer { handedOver.removeAll { isDue($0.generation) } }
        return handedOver.filter { isDue($0.generation) }.map(\.callback)
    }

    /// They wait on, before those who have come since.
    mutating func putBack(completed callbacks: [Callback]) {
        completed.insert(contentsOf: callbacks, at: 0)
    }

    /// Those who waited until everything has completed.
    mutating func takeCompleted() -> [Callback] {
        defer { completed = [] }
        return completed
    }
}
