/// What a reader is given that is some updates behind.
public enum ReaderPolicy: Hashable, Sendable {
    /// One update that does what all of them do, and no more than is needed. The default.
    case merged
    /// Each by itself, as long as it is no more than `limit` announcements behind and the hub still has them
    /// (``HubConfiguration/recentUpdates``); otherwise one.
    case individually(limit: Int)
}

/// Whether a reader can be told more.
public enum ReaderDemand: Hashable, Sendable {
    /// It can: the next message may come at any time.
    case more
    /// It cannot until ``HubReader/resume()`` is called. Until then it stays at its version, for which the hub keeps a
    /// number and no messages.
    case pause
}
