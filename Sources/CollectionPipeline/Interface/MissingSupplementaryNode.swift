/// A data source named a kind of supplementary elements and gave no node for one.
public struct MissingSupplementaryNode: Error, Hashable, Sendable {
    /// The kind it named.
    public let kind: SupplementaryKind
    /// The place it was asked for, in the data source's index space.
    public let path: ItemPath
}
