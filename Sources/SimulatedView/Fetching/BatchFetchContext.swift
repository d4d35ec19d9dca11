import CollectionElements

/// One fetch, from its beginning until somebody completes it or calls it off.
///
/// Whoever was asked to fetch completes it once. Completing it a second time is reported by the view and changes
/// nothing; completing what was called off is a race that nobody can avoid, and changes nothing. A context that
/// is given up without having been completed ends as abandoned, so that its end is never stuck; that is reported
/// too.
///
/// Threading: from any thread.
///
/// Source: Texture's batch context.
public final class BatchFetchContext: Sendable {
    /// How far a fetch has come.
    public enum State: String, Hashable, Sendable {
        /// Somebody fetches.
        case fetching
        /// It was completed.
        case completed
        /// It was called off before it was completed.
        case cancelled
    }

    /// What somebody did to the context.
    enum Call: Sendable {
        case completed(BatchFetchOutcome)
        case completedAgain
        case abandoned
    }

    /// Where more content is wanted.
    public let end: ContentEnd

    private let progress = Lock(State.fetching)
    /// Told of what ends the fetch, and of mistakes; on the caller's thread.
    private let tell: @Sendable (Call) -> Void

    init(at end: ContentEnd, tell: @escaping @Sendable (Call) -> Void) {
        self.end = end
        self.tell = tell
    }

    deinit {
        if state == .fetching { tell(.abandoned) }
    }

    /// How far the fetch has come.
    public var state: State { progress.withLock { $0 } }

    /// Whether the fetch was called off: what it brings is not wanted any more.
    public var isCancelled: Bool { state == .cancelled }

    /// Ends the fetch. Submit first: what is submitted by now is waited for before this end is asked for again.
    public func complete(_ outcome: BatchFetchOutcome = .fetched) {
        let old = progress.withLock { state in
            defer { if state == .fetching { state = .completed } }
            return state
        }
        switch old {
        case .fetching: tell(.completed(outcome))
        case .completed: tell(.completedAgain)
        case .cancelled: break
        }
    }

    /// Calls the fetch off.
    func cancel() {
        progress.withLock { if $0 == .fetching { $0 = .cancelled } }
    }
}

/// An end of the content, where more of it may be fetched.
public enum ContentEnd: String, Hashable, Sendable, CaseIterable {
    /// Where content begins: at the top, or at the left; from right to left at the right.
    case head
    /// Where content ends.
    case tail
}

extension ContentEnd: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}

/// How the application ends a fetch. What follows from it is in ``BatchFetcher``.
@nonexhaustive
public enum BatchFetchOutcome: Sendable {
    /// What there was is submitted.
    case fetched
    /// There is nothing more at this end.
    case exhausted
    /// Nothing could be fetched this time; the view reports the error.
    case failed(any Error)
}

/// How a fetch ended, whoever ended it.
@nonexhaustive
public enum BatchFetchEnding: String, Hashable, Sendable {
    /// What there was is submitted.
    case fetched
    /// There is nothing more at this end.
    case exhausted
    /// Nothing could be fetched this time.
    case failed
    /// It was called off.
    case cancelled
    /// Its context was given up without being completed.
    case abandoned
}

extension BatchFetchEnding: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
