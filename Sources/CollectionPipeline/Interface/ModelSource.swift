import CollectionElements

/// A data source that gives models alone, by the range.
///
/// Its items have no nodes, and nothing of them is measured: for those who read models from the maps, as most
/// servers do. ``ModelList`` is one that keeps arrays; where items are to be shown, conform to ``ModelDataSource``.
///
/// Shape: items are asked for in the data source's index space, in runs of neighbours, in the order in
/// which ``CollectionDataSource`` is asked for single items. Each run's models come before its size
/// range. A run of new items with fewer or more models than items rejects the change set; a
/// reconfigured item, which is asked for alone, has none where there is none, and fails alone with ``MissingModel``.
public protocol ModelSource<Model>: CollectionDataSource {
    /// What an item shows.
    associatedtype Model: Sendable

    /// The models of neighbouring items.
    associatedtype Models: Sequence where Models.Element == Model

    /// The models of the items of a section at `items`, in order; as many as there are items.
    func models(at items: Range<Int>, inSection section: Int) -> Models

    /// The sizes that each of the items at `items` may take; nil, the default, for the view's. Asked
    /// instead of `sizeRange(forItemAt:)`.
    func sizeRange(forItemsAt items: Range<Int>, inSection section: Int) -> SizeRange?

    /// For the pipeline, and not to be implemented: makes elements of models by code that is compiled
    /// for their type.
    @_documentation(visibility: internal)
    func _makeElements(
        of models: Models,
        atMost limit: Int,
        on terms: _ModelTerms<Model>,
        into elements: inout [CollectionElement]
    )
}

/// What elements with models have in common; for the pipeline.
@_documentation(visibility: internal)
public struct _ModelTerms<Model: Sendable> {
    @usableFromInline let terms: ModelTerms<Model>

    init(_ terms: ModelTerms<Model>) { self.terms = terms }
}

extension ModelSource {
    /// The view's range.
    public func sizeRange(forItemsAt items: Range<Int>, inSection section: Int) -> SizeRange? {
        nil
    }

    /// The one model at `path`.
    public func model(forItemAt path: ItemPath) -> (any Sendable)? { oneModel(at: path) }

    /// A provider that throws: there are no nodes.
    public func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        { throw ElementError.modelOnly }
    }

    /// The size range of the item alone.
    public func sizeRange(forItemAt path: ItemPath) -> SizeRange? {
        sizeRange(forItemsAt: path.item..<(path.item + 1), inSection: path.section)
    }

    /// Appends one element for each model, and stops at the limit.
    @_documentation(visibility: internal)
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

    func oneModel(at path: ItemPath) -> Model? {
        models(at: path.item..<(path.item + 1), inSection: path.section).first { _ in true }
    }
}
