import CollectionPublishing

/// Reads what a leader's source publishes, some messages ahead of the member.
final class SourceReader: Sendable {
    private struct State {
        var reader: HubReader?
        /// How many messages are on their way.
        var underway = 0
        var isPaused = false
        /// Whether the member has no room.
        var isHeld = false
        /// Whether the source had published nothing when it was joined, nor since.
        var isAwaited = false
    }

    private let source: UpdateHub
    private let state = Lock(State())
    /// How many messages may be on their way.
    private static let limit = 64

    /// - Parameter source: is retained; who has it as a view does not.
    init(_ source: UpdateHub) { self.source = source }

    /// - Parameter receive: called on the source's lane; hands the change over, and calls ``handled(isHeld:)`` when it was
    ///   taken in.
    func begin(receive: @escaping @Sendable (Member.SourceChange) -> Void) throws(HubError) {
        let reader = try source.addReader(policy: .individually(limit: Self.limit)) {
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

    /// A change was taken in; more are read where there is room for them.
    func handled(isHeld: Bool) {
        resume { state in
            state.underway -= 1
            state.isHeld = isHeld
        }
    }

    /// The member has room again.
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
}

extension SourceReader {
    /// What a message changes; nil for nothing. A source that has published nothing yet is one that loads, not one that is
    /// empty: what it publishes first is everything.
    fileprivate func change(_ message: HubMessage) -> Member.SourceChange? {
        switch message {
        case .reset(let snapshot, _):
            let isAwaited = snapshot.version.number == 0
            state.withLock { $0.isAwaited = isAwaited }
            if isAwaited { return nil }
            return .everything(snapshot.state, number: snapshot.version.number)
        case .update(let update):
            let isFirst = state.withLock { state in
                defer { state.isAwaited = false }
                return state.isAwaited
            }
            let number = update.to.number
            guard isFirst else {
                return .update(update.changeSet, update.contents, number: number)
            }
            var first = KeptState()
            first.go(by: update.changeSet, update.contents)
            return .everything(first.state, number: number)
        default: return nil
        }
    }
}
