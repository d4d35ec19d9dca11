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
