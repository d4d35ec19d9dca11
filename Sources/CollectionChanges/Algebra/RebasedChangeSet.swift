/// What rebasing gives: the update from the newer state, and what is not in it any more.
public struct RebasedChangeSet: Sendable {
    /// The update that starts where the other one ended.
    public let update: ValidatedChangeSet

    /// The edits that nothing is left to do for, in the order of the update's edits, then reconfigurations, then
    /// reloads of supplementary elements.
    public let dropped: [DroppedEdit]

    package init(update: ValidatedChangeSet, dropped: [DroppedEdit]) {
        self.update = update
        self.dropped = dropped
    }
}
