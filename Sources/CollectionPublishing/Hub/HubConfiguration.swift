/// How a hub behaves; fixed when it is made.
public struct HubConfiguration: Sendable {
    /// A name for the hub's lane; "hub" by default.
    public var name = "hub"

    /// Which history its versions are of; a random one by default. Another is for tests alone: versions and numbers begin
    /// anew in every hub, so that two with one handle would be taken for each other.
    public var handle = HistoryHandle.random()

    /// The least time between two announcements: what is published in between is announced as one update, composed once
    /// for all readers. Zero, the default, announces every update of the controller by itself. With thousands of readers
    /// a tenth of a second costs nobody a difference that can be seen, and a tenth of the writes.
    public var minimumInterval = Duration.zero

    /// Every how many announcements an update has the digest of the state, at least 1. 16 by default: what a reader does
    /// wrong is found within as many updates, for one byte an update.
    public var digestInterval = 16

    /// How often readers who have everything are told so by the hub itself; nil, the default, for never, as zero and less
    /// are: ``UpdateHub/sendUpToDate()`` does it when the application says.
    public var heartbeat: Duration?

    /// How many announcements are kept, so that readers who come back with one of their versions are given what they
    /// missed: 1,024 by default. Those of readers who are there are kept beyond that, see ``retainedVersions``.
    public var resumableUpdates = 1024

    /// How many edits these may have together, and how many items and sections what is kept of them whole may bring:
    /// 262,144 by default, some 25 MB and what the payloads take. Eight sections of a list count as an edit in each.
    public var resumableEdits = 1 << 18

    /// How many older versions are kept of readers who are there and paused: 4,096 by default. Beyond that the oldest
    /// is forgotten, and who is there is given everything when it resumes.
    public var retainedVersions = 4096

    /// How many edits what is kept for these may have together, composed for questions included: 1,048,576 by default,
    /// some 100 MB. Beyond that the oldest is forgotten too.
    public var retainedEdits = 1 << 20

    /// How many announcements are kept whole, for readers who want them individually: 64 by default.
    public var recentUpdates = 64

    /// How many updates of the controller may be deployed and not yet published, at least 1: 8 by default. Beyond that
    /// the hub is a busy view, and the controller's backlog fills.
    public var unpublishedUpdates = 8

    /// How many readers there may be: 1,000,000 by default.
    public var readerLimit = 1_000_000

    /// How many rows a reader's window may have: 10,000 by default. A window in which something has changed is compared
    /// row by row.
    public var windowRowLimit = 10_000

    /// The sizes that elements may take; any by default.
    public var elementSizeRange = SizeRange.unconstrained

    /// The defaults.
    public init() {}
}
