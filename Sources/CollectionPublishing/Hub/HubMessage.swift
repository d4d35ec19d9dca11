/// What a reader of a hub is told.
///
/// A reader who does what the messages say, one after the other, has what the hub has, at every version (No Gap No
/// Double, Converges): the first is `reset`, or an update from the version that it resumes from; every update starts
/// from where the message before left the reader.
@nonexhaustive
public enum HubMessage: Sendable {
    /// Drop what you have: this is everything, at this version.
    case reset(PublishedSnapshot, ResetReason)

    /// This has changed.
    case update(PublishedUpdate)

    /// You have everything up to now, which is this version: told after what a reader missed was made good, also
    /// where it was nothing, and with every heartbeat.
    case upToDate(PublishedVersion, digest: StateDigest)

    /// Nothing comes any more, and this version is the last: the controller is closed. The last message.
    case closed(PublishedVersion)

    /// Where it leaves a reader.
    public var version: PublishedVersion {
        switch self {
        case .reset(let snapshot, _): snapshot.version
        case .update(let update): update.to
        case .upToDate(let version, _), .closed(let version): version
        }
    }
}

extension HubMessage: CustomStringConvertible {
    /// A line for a log: its kind, versions and counts, such as `reset, joined: 1 section with 3 items at 00c0ffee00c0ffee.12`.
    public var description: String {
        switch self {
        case .reset(let snapshot, let reason): "reset, \(reason.rawValue): \(snapshot)"
        case .update(let update): update.description
        case .upToDate(let version, _): "up to date at \(version)"
        case .closed(let version): "closed at \(version)"
        }
    }
}

/// Why a reader is given everything, and not what it missed.
@nonexhaustive
public enum ResetReason: String, Hashable, Sendable, CaseIterable {
    /// It had nothing.
    case joined
    /// It has a version of another history, such as that of the server before its restart, or of a line of this one
    /// that was given up.
    case otherHistory
    /// It resumes from a version of this history that no reader can have had.
    case unknownVersion
    /// It has been away for longer, or was paused with more others, than the hub keeps.
    case forgotten
}
