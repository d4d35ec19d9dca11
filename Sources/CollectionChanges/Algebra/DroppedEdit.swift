/// An edit that nothing is left to do for after rebasing, with the reason.
public struct DroppedEdit: Hashable, Sendable {
    /// What is dropped, in the index spaces of the update that was rebased. A move or reload is named by its
    /// removal.
    public enum Subject: Hashable, Sendable {
        /// An edit of the four runs.
        case edit(HierarchyEdit)
        /// An update in place.
        case reconfiguration(ItemReconfiguration)
        /// Supplementary elements that were to be asked for again.
        case supplementaryReload(SupplementaryReload)
    }

    /// Why there is nothing left to do.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The other update removed the same, alone or with its section: what was wanted has happened.
        case removedAlready
        /// What it moves, reloads or updates was removed by the other update, alone or with its section; or what it
        /// updates in place was replaced by it.
        case gone
        /// The section that it puts something into was removed, or replaced, by the other update. An item that it
        /// would move there stays where the other update has it.
        case targetGone
        /// The other update moved or reloaded the same, and counts as the later one.
        case overruled
    }

    /// What is dropped.
    public var subject: Subject

    /// Why.
    public var reason: Reason

    /// Names a dropped edit.
    public init(_ subject: Subject, _ reason: Reason) {
        self.subject = subject
        self.reason = reason
    }
}

extension DroppedEdit: CustomStringConvertible {
    /// The edit and the reason in words, such as `remove item 0 - 2 (delete): removedAlready`.
    public var description: String {
        switch subject {
        case .edit(let edit): "\(edit): \(reason.rawValue)"
        case .reconfiguration(let edit): "reconfigure item \(edit.oldPath): \(reason.rawValue)"
        case .supplementaryReload(let reload):
            "reload \(reload): \(reason.rawValue)"
        }
    }
}
