/// A data source gave no model for an item that it counted.
public struct MissingModel: Error, Hashable, Sendable {
    /// Where the item is, in the data source's index space.
    public let path: ItemPath
}
