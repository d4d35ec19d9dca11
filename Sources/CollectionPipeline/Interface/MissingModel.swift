/// A data source gave no model for an item that it counted.
public struct MissingModel: Error, Hashable, Sendable {
    /// Where the item is, in the data source's index space.
    public let path: ItemPath
}

extension MissingModel: CustomStringConvertible {
    /// What was asked for, and what must be given.
    public var description: String {
        "The data source returned no model for item \(path.item) of section \(path.section), which it counts;"
            + " models(at: \(path.item)..<\(path.item + 1), inSection: \(path.section)) must return one"
    }
}
