import CollectionElements

/// A single fetch, from its beginning until it is completed or cancelled.
///
/// The code that fetches completes the context once. The view reports a second completion and
/// ignores it. Completing a cancelled fetch is an unavoidable race, and is ignored. If a context is
/// released without having been completed, the fetch ends as abandoned, so that its end of the
/// content never waits forever; the view reports that too.
///
/// Threading: any thread.
///
/// Source: Texture's batch context.
public final class BatchFetchContext: Sendable {
    /// The state of a fetch.
    public enum State: String, Hashable, Sendable {
        /// The fetch is in progress.
        case fetching
        /// The fetch was completed.
        case completed
        /// The fetch was cancelled before it was completed.
        case cancelled
    }

    /// An event of the context.
    enum Call: Sendable {
        case completed(BatchFetchOutcome)
        case completedAgain
        case abandoned
    }

    /// The end of the content at which to fetch.
    public let end: ContentEnd

    private let progress = Lock(State.fetching)
    /// The handler for completions and mistakes; called on the caller's thread.
    private let tell: @Sendable (Call) -> Void

    init(at end: ContentEnd, tell: @escaping @Sendable (Call) -> Void) {
        self.end = end
        self.tell = tell
    }

    deinit {
        if state == .fetching { tell(.abandoned) }
    }

    /// The state of the fetch.
    public var state: State { progress.withLock { $0 } }

    /// Whether the fetch was cancelled, so that its result is no longer needed.
    public var isCancelled: Bool { state == .cancelled }

    /// Ends the fetch. Submit the content before this call: the view waits for everything submitted
    /// so far before it fetches at this end again.
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

    /// Cancels the fetch.
    func cancel() {
        progress.withLock { if $0 == .fetching { $0 = .cancelled } }
    }
}

/// An end of the content at which more can be fetched.
public enum ContentEnd: String, Hashable, Sendable, CaseIterable {
    /// The beginning of the content: the top, the left or, from right to left, the right.
    case head
    /// The end of the content.
    case tail
}

/// The outcome with which the application ends a fetch. ``BatchFetcher`` describes the effects.
@nonexhaustive
public enum BatchFetchOutcome: Sendable {
    /// The fetched content was submitted.
    case fetched
    /// There is no more content at this end.
    case exhausted
    /// The fetch failed this time; the view reports the error.
    case failed(any Error)
}

/// The way in which a fetch ended.
@nonexhaustive
public enum BatchFetchEnding: String, Hashable, Sendable {
    /// The fetched content was submitted.
    case fetched
    /// There is no more content at this end.
    case exhausted
    /// The fetch failed.
    case failed
    /// The fetch was cancelled.
    case cancelled
    /// The context was released without being completed.
    case abandoned
}
