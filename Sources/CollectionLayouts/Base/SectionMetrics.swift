import CollectionElements

/// The metrics of a whole section; the layout's own values replace those that are `nil`.
///
/// They are provided by a view's ``LayoutMetrics``, or by the section's context
/// (``SectionMetricsProviding``). Every layout uses the values that apply to it: a ``ListLayout``
/// has neither insets nor spacings, and uses only the height of an item.
///
/// ```swift
/// SectionMetrics(insets: EdgeInsets(top: 8, bottom: 8), lineSpacing: 4, headerExtent: 24)
/// ```
///
/// Shape: values in the unit of ``Size``. An invalid size or distance counts as zero when a section
/// is prepared, and is reported in ``CollectionLayout/errors``.
public struct SectionMetrics: Hashable, Sendable {
    /// The size of every item for which no other size is defined.
    public var itemSize: Size?

    /// The space around the items, but not around the header and footer.
    public var insets: EdgeInsets?

    /// The space between lines, along the scroll direction.
    public var lineSpacing: Double?

    /// The space between items of a line, across the scroll direction; justified lines may have
    /// more.
    public var interitemSpacing: Double?

    /// The extent of the header along the scroll direction; 0 for no header.
    public var headerExtent: Double?

    /// The extent of the footer along the scroll direction; 0 for no footer.
    public var footerExtent: Double?

    /// Creates metrics; they are checked when a section is prepared.
    public init(
        itemSize: Size? = nil,
        insets: EdgeInsets? = nil,
        lineSpacing: Double? = nil,
        interitemSpacing: Double? = nil,
        headerExtent: Double? = nil,
        footerExtent: Double? = nil
    ) {
        self.itemSize = itemSize
        self.insets = insets
        self.lineSpacing = lineSpacing
        self.interitemSpacing = interitemSpacing
        self.headerExtent = headerExtent
        self.footerExtent = footerExtent
    }

    /// Returns these metrics, with missing values from a section's context, if it provides metrics.
    func completed(by sectionContext: (any SectionContext)?) -> SectionMetrics {
        guard let others = (sectionContext as? any SectionMetricsProviding)?.sectionMetrics else {
            return self
        }
        return SectionMetrics(
            itemSize: itemSize ?? others.itemSize,
            insets: insets ?? others.insets,
            lineSpacing: lineSpacing ?? others.lineSpacing,
            interitemSpacing: interitemSpacing ?? others.interitemSpacing,
            headerExtent: headerExtent ?? others.headerExtent,
            footerExtent: footerExtent ?? others.footerExtent
        )
    }
}

/// A section context that provides the metrics of its section, wherever the section moves.
///
/// Every layout with sections reads them when it prepares a section, from the context that the
/// section was inserted with, so no layout queries a section that no longer exists. The view's
/// ``LayoutMetrics`` take precedence over them, and they take precedence over the layout's own
/// values.
///
/// ```swift
/// final class Shelf: SectionMetricsProviding {
///     let sectionMetrics = SectionMetrics(
///         itemSize: Size(width: 80, height: 120), headerExtent: 24
///     )
/// }
/// ```
///
/// Threading: read on the view's main lane, within ``CollectionLayout/prepare()``; if a layout is
/// prepared in advance (``PreparedFlow``), even on workers.
public protocol SectionMetricsProviding: SectionContext {
    /// The metrics of the section.
    var sectionMetrics: SectionMetrics { get }
}
