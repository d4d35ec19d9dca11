/// A data source named a kind of supplementary elements and gave no node for one.
public struct MissingSupplementaryNode: Error, Hashable, Sendable {
    /// The kind it named.
    public let kind: SupplementaryKind
    /// The place it was asked for, in the data source's index space.
    public let path: ItemPath
}

extension MissingSupplementaryNode: CustomStringConvertible {
    /// What is missing, and the method to implement.
    public var description: String {
        "The data source names the kind '\(kind)' for section \(path.section) but has no node for number"
            + " \(path.item) of it; implement supplementaryNodeProvider(ofKind:at:)"
    }
}
