import CollectionElements
import PersistentTrees

/// What a ``SectionLayout`` is given to lay out.
///
/// Counts, extents and the sizes of items are finite and not negative: what was not counts as zero, and was
/// reported. ``metrics`` and the extents of header and footer are as they were answered, to be passed through
/// ``usable(_:as:at:)``; they are nil where nobody said anything, so that the layout's own hold.
///
/// Threading: valid on the main lane, during the call that it is handed to.
public struct SectionInput {
    /// The index of the section now, in the view's index space; it changes with edits elsewhere.
    public let section: Int

    /// The axis along which the collection scrolls.
    public let scrollDirection: ScrollDirection

    /// The extent across the scroll direction that the section fills.
    public let acrossExtent: Double

    /// How many items there are.
    public let itemCount: Int

    /// What the data source attached to the section when it was inserted.
    public let context: (any SectionContext)?

    /// What the view's ``LayoutMetrics`` say of the section, and then its ``context`` if that is
    /// ``SectionMetricsProviding``; the size of items and the extents of header and footer are part of the
    /// answers below.
    public let metrics: SectionMetrics

    /// The extent of the header along the scroll direction: what its view preferred, or what ``metrics``
    /// say, or what the pipeline measured, or nil.
    public let headerExtent: Double?

    /// The extent of the footer along the scroll direction, from the same sources.
    public let footerExtent: Double?

    let preferredSizes: PreferredSizes.Items
    let offeredSize: (Int) -> Size?
    let insetsOfReference: (SectionInsetReference) -> EdgeInsets
    let errors: SectionErrorReporter

    /// The size of an item: what its view preferred, or what the metrics say, or what the pipeline
    /// measured, or nil.
    ///
    /// Complexity: that of asking the metrics; to be asked once an item.
    public func size(ofItem item: Int) -> Size? {
        if let size = preferredSizes.element(at: item) ?? nil { return size }
        guard let size = offeredSize(item) else { return nil }
        let place = LayoutPlace.cell(ItemPath(section: section, item: item))
        return Size(
            width: usable(size.width, as: .itemSize, at: place),
            height: usable(size.height, as: .itemSize, at: place)
        )
    }

    /// What the view keeps free beyond the content inset, in section coordinates, every side
    /// ``usable(_:as:at:)``. A section that asks is laid out again when the answer changes.
    ///
    /// Zero for ``SectionInsetReference/fromContentInset``, within which sections lie as they are.
    public func insets(of reference: SectionInsetReference) -> EdgeInsets {
        usable(insetsOfReference(reference))
    }

    /// A number, or zero where it is not finite, negative or beyond ``ComposedLayout/largestExtent``;
    /// that is then reported as an error of the composed layout.
    ///
    /// - Parameters:
    ///   - value: the number.
    ///   - code: what it was to be.
    ///   - place: the element that it belongs to; nil for the whole section.
    public func usable(_ value: Double, as code: LayoutError.Code, at place: LayoutPlace? = nil)
        -> Double
    {
        errors.usable(value, as: code, at: place, section: section)
    }

    /// The insets with every side ``usable(_:as:at:)``.
    public func usable(_ insets: EdgeInsets) -> EdgeInsets {
        func side(_ value: Double) -> Double {
            errors.usable(value, as: .spacing, named: "inset", section: section)
        }
        return EdgeInsets(
            top: side(insets.top),
            left: side(insets.left),
            bottom: side(insets.bottom),
            right: side(insets.right)
        )
    }
}

extension SectionInput {
    /// Makes an input by hand, to try a layout on its own; a ``ComposedLayout`` makes its own.
    ///
    /// A count or extent across that cannot be used is 0.
    public init(
        section: Int = 0,
        scrollDirection: ScrollDirection = .vertical,
        acrossExtent: Double,
        itemCount: Int,
        context: (any SectionContext)? = nil,
        metrics: SectionMetrics = SectionMetrics(),
        sizeOfItem: @escaping (_ item: Int) -> Size?
    ) {
        let errors = SectionErrorReporter()
        let metrics = metrics.completed(by: context)
        self.init(
            section: section,
            scrollDirection: scrollDirection,
            acrossExtent: errors.usable(acrossExtent, as: .sectionExtent, section: section),
            itemCount: errors.usable(itemCount, as: .itemCount, section: section),
            context: context,
            metrics: metrics,
            headerExtent: metrics.headerExtent,
            footerExtent: metrics.footerExtent,
            preferredSizes: PreferredSizes.Items(),
            offeredSize: { sizeOfItem($0) ?? metrics.itemSize },
            insetsOfReference: { _ in .zero },
            errors: errors
        )
    }
}
