import CollectionPublishing
import CollectionReplication
import Synchronization

/// One leadership of a list: the list with its controller, made when it began, and who waits for readers to be shown an
/// edit.
///
/// Each has a list of its own, so that nothing of one before can be taken for something of it: neither its cards nor its
/// versions.
final class ListTerm: Sendable {
    let list: LiveList
    private let state = Mutex(State())

    private struct State {
        /// Whether the list was published.
        var isOpen = false
        var isEnded = false
        var task: Task<Void, Never>?
        var waiting: [Int: CheckedContinuation<PublishedVersion?, Never>] = [:]
        var lastWaiter = 0
    }

    init(_ list: LiveList) { self.list = list }

    var isOpen: Bool { state.withLock { $0.isOpen && !$0.isEnded } }

    /// Publishes the list, unless the leadership has ended.
    func open(on replica: ReplicatedHub) {
        state.withLock { state in
            guard !state.isEnded else { return }
            state.isOpen = true
            // It only hands over; under the lock, so that it comes before whatever follows on an end that is told after.
            replica.publish(from: list.hub)
        }
    }

    /// Runs what makes the list's states, until the end.
    func run(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            if !state.isEnded { state.task = Task { await body() } }
        }
    }

    /// Waits until readers are shown what the list published; nil where that is not known, since the leadership has ended
    /// or it took too long.
    func whenShown(
        _ number: Int,
        on replica: ReplicatedHub,
        within timeout: Duration
    ) async -> PublishedVersion? {
        await withCheckedContinuation { continuation in
            let waiter: Int? = state.withLock { state in
                guard !state.isEnded else { return nil }
                state.lastWaiter += 1
                state.waiting[state.lastWaiter] = continuation
                return state.lastWaiter
            }
            guard let waiter else { return continuation.resume(returning: nil) }
            replica.whenShown(source: number) { [weak self] in self?.answer(waiter, $0) }
            Task { [weak self] in
                try? await Task.sleep(for: timeout)
                self?.answer(waiter, nil)
            }
        }
    }

    private func answer(_ waiter: Int, _ version: PublishedVersion?) {
        let continuation = state.withLock { $0.waiting.removeValue(forKey: waiter) }
        continuation?.resume(returning: version)
    }

    /// The leadership has ended. On the member's lane, before anything of a later one.
    func end() {
        let (task, waiting) = state.withLock { state in
            state.isEnded = true
            defer { (state.task, state.waiting) = (nil, [:]) }
            return (state.task, state.waiting.values)
        }
        task?.cancel()
        for continuation in waiting { continuation.resume(returning: nil) }
        Task { [list] in await list.controller.close(draining: false) }
    }
}
