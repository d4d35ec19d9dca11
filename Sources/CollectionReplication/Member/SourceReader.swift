import CollectionPublishing

/// Reads the updates of a leader's source, and prepares a limited number of them for the member.
final class SourceReader: Sendable {
    private struct State {
        var reader: HubReader?
        /// The number of messages that the member has not handled yet.
        var underway = 0
        var isPaused = false
        /// Whether the member has no capacity for more.
        var isHeld = false
        /// Whether the source has not published anything yet.
        var isAwaited = false
    }

    private let source: UpdateHub
    private let state = Lock(State())
    /// The maximum number of messages that the member has not handled. Updates that are published
    /// while so many wait are merged.
    private static let limit = 8

    /// Creates a reader.
    ///
    /// - Parameter source: The hub; retained. A controller that has the hub as its view does not
    ///   retain it.
    init(_ source: UpdateHub) { self.source = source }

    /// Starts to read.
    ///
    /// - Parameter receive: A closure that is called on the source's lane with each change; the
    ///   receiver calls ``handled(isHeld:)`` once the member has handled the change.
    func begin(receive: @escaping @Sendable (Member.SourceChange) -> Void) throws(HubError) {
        let reader = try source.addReader(policy: .coalesced) {
            [weak self] message in
            guard let self else { return .pause }
            guard let change = change(message) else { return .more }
            receive(change)
            return state.withLock { state in
                state.underway += 1
                state.isPaused = state.isHeld || state.underway >= Self.limit
                return state.isPaused ? .pause : .more
            }
        }
        state.withLock { $0.reader = reader }
    }

    /// Records that the member has handled a change, and continues to read if there is capacity.
    func handled(isHeld: Bool) {
        resume { state in
            state.underway -= 1
            state.isHeld = isHeld
        }
    }

    /// Records that the member has capacity again.
    func release() { resume { $0.isHeld = false } }

    private func resume(_ body: (inout State) -> Void) {
        let reader = state.withLock { state -> HubReader? in
            body(&state)
            guard state.isPaused, !state.isHeld, state.underway <= Self.limit / 2 else {
                return nil
            }
            state.isPaused = false
            return state.reader
        }
        reader?.resume()
    }

    /// Returns the change that a message makes, or `nil` for none. A source that has not published
    /// anything is loading, not empty: its first update contains everything.
    fileprivate func change(_ message: HubMessage) -> Member.SourceChange? {
        switch message {
        case .reset(let snapshot, _):
            let isAwaited = snapshot.version.number == 0
            state.withLock { $0.isAwaited = isAwaited }
            if isAwaited { return nil }
            return .everything(snapshot.state, number: snapshot.version.number)
        case .update(let update):
            let isFirst = state.withLock { exchange(&$0.isAwaited, with: false) }
            let number = update.to.number
            guard isFirst else {
                return .update(update.changeSet, update.contents, number: number)
            }
            var first = StateWithDigest()
            first.apply(update.changeSet, update.contents)
            return .everything(first.state, number: number)
        default: return nil
        }
    }
}
