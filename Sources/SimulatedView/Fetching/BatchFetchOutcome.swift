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
