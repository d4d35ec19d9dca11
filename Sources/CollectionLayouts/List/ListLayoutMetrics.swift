/// Answers the questions of a ``ListLayout`` about heights.
///
/// Adopted by what a view has as ``LayoutHost/layoutMetrics``. Every member has a default, nil, which
/// leaves the say to the layout's properties, and then to the pipeline's measurement.
///
/// Shape: paths and sections are in the view's index space. All is asked up front, section by section:
/// header, rows in order, footer; later only what came or was invalidated. Threading: called within
/// ``CollectionLayout/prepare()``, on the view's main lane. Errors: what is no height counts as zero, and
/// is found in ``CollectionLayout/errors``.
///
/// Source: UITableViewDelegate.
public protocol ListLayoutMetrics: AnyObject {
    /// The height of a row.
    func listLayout(_ layout: ListLayout, heightForRowAt path: ItemPath) -> Double?

    /// The height of a header; 0 for none.
    func listLayout(_ layout: ListLayout, heightForHeaderOfSection section: Int) -> Double?

    /// The height of a footer; 0 for none.
    func listLayout(_ layout: ListLayout, heightForFooterOfSection section: Int) -> Double?
}

extension ListLayoutMetrics {
    /// nil.
    public func listLayout(_ layout: ListLayout, heightForRowAt path: ItemPath) -> Double? { nil }

    /// nil.
    public func listLayout(_ layout: ListLayout, heightForHeaderOfSection section: Int) -> Double? {
        nil
    }

    /// nil.
    public func listLayout(_ layout: ListLayout, heightForFooterOfSection section: Int) -> Double? {
        nil
    }
}
