import CollectionElements

/// What holds for a whole section; nil where its layout's own values hold.
///
/// Said by a view's ``LayoutMetrics``, or by the section's context (``SectionMetricsProviding``), and read by
/// every layout alike, as far as it has such things: a ``ListLayout`` has neither insets nor spacings, and of
/// an item only a height.
///
/// ```swift
/// SectionMetrics(insets: EdgeInsets(top: 8, bottom: 8), lineSpacing: 4, headerExtent: 24)
/// ```
///
/// Shape: values in the unit of ``Size``. What is no size or distance counts as zero when a section is
/// prepared, and is found in ``CollectionLayout/errors``.
public struct SectionMetrics: Hashable, Sendable {
    /// The size of every item of which nobody says more.
    public var itemSize: Size?

    /// The free space around the items, but not around header and footer.
    public var insets: EdgeInsets?

    /// The space between lines, along the scroll direction.
    public var lineSpacing: Double?

    /// The space between items of a line, across the scroll direction; justified lines have more.
    public var interitemSpacing: Double?

    /// The extent of the header along the scroll direction; 0 for no header.
    public var headerExtent: Double?

    /// The extent of the footer along the scroll direction; 0 for no footer.
    public var footerExtent: Double?

    /// Makes metrics; they are checked when a section is prepared.
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

    /// These, and where they say nothing, those of a section's context if it has some.
    func completed(by context: (any SectionContext)?) -> SectionMetrics {
        guard let others = (context as? any SectionMetricsProviding)?.sectionMetrics else {
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
