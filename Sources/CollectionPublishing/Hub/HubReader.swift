/// A reader of a hub, as who added it has it. Letting go of it is leaving.
///
/// Threading: every member may be called from anywhere, also from within the reader's own callback.
public final class HubReader: Sendable {
    private let core: HubCore
    private let reader: ReaderCore

    init(_ core: HubCore, _ reader: ReaderCore) {
        self.core = core
        self.reader = reader
    }

    deinit { core.leave(reader) }

    /// Lets the next message come, after ``ReaderDemand/pause``: to be called once for each. It does nothing where the
    /// reader is not paused; but where it pauses at the same time, it goes on.
    ///
    /// What was missed comes as one update (Resume Costs The Difference).
    public func resume() { core.resume(reader) }

    /// Lets the reader of a window see another part of the list from now on: it is told what it does not have of it, and
    /// where that is; nothing, where it has all of that. It may be called at any time; what was wanted before and is not told
    /// yet is not told any more.
    ///
    /// - Throws: where the window has negative rows or too many, and where the reader has no window.
    public func setWindow(_ window: PublishedWindow) throws(HubError) {
        guard let reader = reader as? WindowReaderCore else { throw .notWindowed }
        try window.check(limit: core.configuration.windowRowLimit)
        core.setWindow(window, of: reader)
    }

    /// Ends the reader: what is under way to it may still come, and nothing else; nothing is kept for it any more.
    public func leave() { core.leave(reader) }
}

/// How a hub is doing, for a health endpoint or a log.
public struct HubReport: Hashable, Sendable {
    /// What readers may know.
    public let version: PublishedVersion
    /// How many readers there are.
    public let readers: Int
    /// How many of them have been told everything and wait for more; the others are paused.
    public let listeningReaders: Int
    /// How many versions somebody can resume from.
    public let knownVersions: Int
    /// How many change sets are kept for that, composed ones included.
    public let keptChangeSets: Int
}

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
