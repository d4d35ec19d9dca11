import CollectionElements

/// A data source that gives models, by the range, and one function that makes a node of any of them.
///
/// Use it where items have models of one type: a million of them then load without a closure and a
/// call for each. Where items want providers or size ranges of their own, conform to
/// ``CollectionDataSource`` alone.
///
/// ```swift
/// final class Feed: ModelDataSource {
///     var posts: [Post] = []
///     let makeNode: @Sendable (Post) throws -> any CollectionNode = { PostNode($0) }
///     func numberOfItems(inSection section: Int) -> Int { posts.count }
///     func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<Post> { posts[items] }
/// }
/// ```
public protocol ModelDataSource<Model>: ModelSource {
    /// Makes a node: called once for each item, on a worker or by whoever asks for the node first.
    /// Read when the controller is made, on the thread that makes it, and again for reconfigured
    /// items. It is kept as long as any element, so it must not capture the data source.
    var makeNode: @Sendable (Model) throws -> any CollectionNode { get }
}

extension ModelDataSource {
    /// Makes a node of the model that is at `path` now.
    public func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        let (model, makeNode) = (oneModel(at: path), makeNode)
        return {
            guard let model else { throw MissingModel(path: path) }
            return try makeNode(model)
        }
    }
}
