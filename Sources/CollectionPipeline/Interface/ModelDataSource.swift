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
///
/// Shape: items are asked for in the data source's index space, in runs of neighbours, in the order in
/// which ``CollectionDataSource`` is asked for single items. Each run's models come before its size
/// range. A run of new items with fewer or more models than items rejects the change set; a
/// reconfigured item, which is asked for alone, fails alone where there is no model.
public protocol ModelDataSource<Model>: CollectionDataSource {
    /// What an item shows.
    associatedtype Model: Sendable

    /// The models of neighbouring items.
    associatedtype Models: Sequence where Models.Element == Model

    /// The models of the items of a section at `items`, in order; as many as there are items.
    func models(at items: Range<Int>, inSection section: Int) -> Models

    /// Makes a node: called once for each item, on a worker or by whoever asks for the node first.
    /// Read when the controller is made, on the thread that makes it, and again for reconfigured
    /// items. It is kept as long as any element, so it must not capture the data source.
    var makeNode: @Sendable (Model) throws -> any CollectionNode { get }

    /// The sizes that each of the items at `items` may take; nil, the default, for the view's. Asked
    /// instead of `sizeRange(forItemAt:)`.
    func sizeRange(forItemsAt items: Range<Int>, inSection section: Int) -> SizeRange?

    /// For the pipeline, and not to be implemented: makes elements of models by code that is compiled
    /// for their type.
    func _makeElements(
        of models: Models,
        atMost limit: Int,
        on terms: _ModelTerms<Model>,
        into elements: inout [CollectionElement]
    )
}

/// What elements with models have in common; for the pipeline.
public struct _ModelTerms<Model: Sendable> {
    @usableFromInline let terms: ModelTerms<Model>

    init(_ terms: ModelTerms<Model>) { self.terms = terms }
}

extension ModelDataSource {
    /// The view's range.
    public func sizeRange(forItemsAt items: Range<Int>, inSection section: Int) -> SizeRange? {
        nil
    }

    /// The one model at `path`.
    public func model(forItemAt path: ItemPath) -> (any Sendable)? { oneModel(at: path) }

    /// Makes a node of the model that is at `path` now.
    public func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        let (model, makeNode) = (oneModel(at: path), makeNode)
        return {
            guard let model else { throw MissingModel(path: path) }
            return try makeNode(model)
        }
    }

    /// The size range of the item alone.
    public func sizeRange(forItemAt path: ItemPath) -> SizeRange? {
        sizeRange(forItemsAt: path.item..<(path.item + 1), inSection: path.section)
    }

    /// Appends one element for each model, and stops at the limit.
    @inlinable
    public func _makeElements(
        of models: Models,
        atMost limit: Int,
        on terms: _ModelTerms<Model>,
        into elements: inout [CollectionElement]
    ) {
        var room = limit
        for model in models {
            guard room > 0 else { return }
            room -= 1
            elements.append(ModelElement(model, terms: terms.terms))
        }
    }

    private func oneModel(at path: ItemPath) -> Model? {
        models(at: path.item..<(path.item + 1), inSection: path.section).first { _ in true }
    }
}
