import CollectionElements

extension CollectionElement {
    /// The controller that the element belongs to; nil where that is gone, or is one of another data source.
    ///
    /// ```swift
    /// element.controller(of: Feed.self)?.dataSourcePath(for: path)
    /// ```
    ///
    /// A node that keeps it keeps its own controller alive. From anywhere.
    public final func controller<Source: CollectionDataSource>(
        of source: Source.Type
    ) -> DataController<Source>? {
        surroundings.controller as? DataController<Source>
    }
}
