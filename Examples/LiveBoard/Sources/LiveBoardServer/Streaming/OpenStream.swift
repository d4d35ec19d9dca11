import CollectionPublishing
import NIOCore

/// A request to follow a list whose list was found; keeps a search's list there.
struct OpenStream: Sendable {
    let list: any NamedList
    let lease: SearchLease?
    let from: PublishedVersion?
    let window: RequestedWindow?
    let isCompressed: Bool
}

/// What all streams of a server have in common.
struct StreamSurroundings: Sendable {
    let connections: Connections
    let meters: ServerMeters
    /// How long a connection may have no room at all.
    var writeTimeout = TimeAmount.seconds(120)
}
