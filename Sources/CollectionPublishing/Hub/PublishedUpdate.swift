/// What has changed between two versions of one history: the edits, and what they bring.
///
/// One for each update of the controller, or of several together: where they come faster than the hub announces them,
/// and for readers who missed some. It is the same value for all who need it; two readers of windows may be told different
/// ones from and to the same versions.
public struct PublishedUpdate: Sendable {
    /// Where it starts from: a reader must be there to take it in.
    public let from: PublishedVersion

    /// Where it leads to, in the same history: later than `from`, but that with a ``place`` it may be `from`.
    public let to: PublishedVersion

    /// The edits, in the fixed order, of the shape at `from`; none where only the version is another.
    public let changeSet: ValidatedChangeSet

    /// What is fresh or shows something else.
    public let contents: PublishedContents

    /// The digest of the state that it leads to, where it has one: every so many do, and every one for readers who
    /// missed some.
    public let digest: StateDigest?

    /// For the reader of a window: where in the list the window is from now on. It may be all that has changed, where
    /// the window is another, and then `to` may be `from`.
    public let place: WindowPlace?

    /// Makes an update, such as one that was read from elsewhere; nothing is checked.
    public init(
        from: PublishedVersion,
        to: PublishedVersion,
        changeSet: ValidatedChangeSet,
        contents: PublishedContents,
        digest: StateDigest? = nil,
        place: WindowPlace? = nil
    ) {
        self.from = from
        self.to = to
        self.changeSet = changeSet
        self.contents = contents
        self.digest = digest
        self.place = place
    }
}

extension PublishedUpdate {
    /// Why its contents are not those of its edits; nil where they are.
    var misfit: String? {
        if contents.fit(changeSet) { return nil }
        return "the update to \(to) must bring a content for each place that is new or changed, but"
            + " brings others"
    }
}

extension PublishedUpdate: CustomStringConvertible {
    /// A line for a log: versions, how much changes, and how much there is then, such as
    /// `update from 00c0ffee00c0ffee.12 to 00c0ffee00c0ffee.13: 2 edits, 1 change in place; 1 section with 4 items`.
    public var description: String {
        let inPlace = contents.changedItems.count + contents.changedSections.count
        let edits = counted(changeSet.edits.count, "edit") + ", " + counted(inPlace, "change")
        let totals = changeSet.newShape.totals + (place?.remark ?? "")
        return "update from \(from) to \(to): \(edits) in place; \(totals)"
    }
}

/// Everything that there is at one version, which was taken together with it.
public struct PublishedSnapshot: Sendable {
    /// Which version it is.
    public let version: PublishedVersion

    /// What there is.
    public let state: PublishedState

    /// The digest of the state.
    public let digest: StateDigest

    /// For the reader of a window, who is given that and no more: where in the list it is.
    public let place: WindowPlace?

    /// Makes a snapshot, such as one that was read from elsewhere; nothing is checked.
    public init(
        version: PublishedVersion,
        state: PublishedState,
        digest: StateDigest,
        place: WindowPlace? = nil
    ) {
        self.version = version
        self.state = state
        self.digest = digest
        self.place = place
    }
}

extension PublishedSnapshot: CustomStringConvertible {
    /// A line for a log: how much there is, and the version, such as `1 section with 3 items at 00c0ffee00c0ffee.12`.
    public var description: String { "\(state.shape.totals) at \(version)\(place?.remark ?? "")" }
}

extension WindowPlace {
    fileprivate var remark: String {
        ", of \(counted(totalSections, "section")) with \(counted(totalItems, "item"))"
    }
}
