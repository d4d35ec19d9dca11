import CollectionElements

/// A section context that brings the metrics of its section with it, wherever the section moves.
///
/// Every layout that has sections reads them when it prepares one, from the context that the section was
/// inserted with; so nobody is asked about a section that no longer exists. What a view's ``LayoutMetrics``
/// say goes before them, and a layout's own values come after.
///
/// ```swift
/// final class Shelf: SectionMetricsProviding {
///     let sectionMetrics = SectionMetrics(itemSize: Size(width: 80, height: 120), headerExtent: 24)
/// }
/// ```
///
/// Threading: read on the view's main lane, within ``CollectionLayout/prepare()``; where a layout is laid out
/// beforehand (``PreparedFlow``), on workers too.
public protocol SectionMetricsProviding: SectionContext {
    /// The metrics of the section.
    var sectionMetrics: SectionMetrics { get }
}
