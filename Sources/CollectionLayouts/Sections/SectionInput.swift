import CollectionElements
import PersistentTrees

/// The input of a ``SectionLayout``: the section to lay out.
///
/// Counts, extents and the sizes of items are finite and not negative; invalid ones count as zero
/// and have been reported. ``metrics`` and the extents of the header and footer are unchecked: pass
/// them through ``usable(_:as:at:)``. They are `nil` if no source defines them, so that the
/// layout's own values apply.
///
/// Threading: valid on the main lane, during the call that receives it.
public struct SectionInput {
    /// The current index of the section in the view's index space; it changes with edits of other
    /// sections.
    public let section: Int

    /// The axis along which the collection scrolls.
    public let scrollDirection: ScrollDirection

    /// The extent across the scroll direction that the section fills.
    public let acrossExtent: Double

    /// The number of items.
    public let itemCount: Int

    /// The context that the data source attached to the section when it was inserted.
    public let sectionContext: (any SectionContext)?

    /// The section's metrics from the view's ``LayoutMetrics``, completed by those of its
    /// ``sectionContext`` if that is ``SectionMetricsProviding``. The size of items and the extents
    /// of the header and footer are also included in the members below.
    public let metrics: SectionMetrics

    /// The extent of the header along the scroll direction: the size that its view preferred,
    /// otherwise the value of ``metrics``, otherwise the measured size, otherwise `nil`.
    public let headerExtent: Double?

    /// The extent of the footer along the scroll direction, from the same sources.
    public let footerExtent: Double?

    let preferredSizes: PreferredSizes.Items
    let defaultSize: (Int) -> Size?
    let insetsOfReference: (SectionInsetReference) -> EdgeInsets
    let errors: SectionErrorReporter

    /// Returns the size of an item: the size that its view preferred, otherwise the value of the
    /// metrics, otherwise the measured size, otherwise `nil`.
    ///
    /// Complexity: that of the metrics object; call it once for each item.
    public func size(ofItem item: Int) -> Size? {
        if let size = preferredSizes.element(at: item) ?? nil { return size }
        guard let size = defaultSize(item) else { return nil }
        let place = LayoutPlace.cell(ItemPath(section: section, item: item))
        return Size(
            width: usable(size.width, as: .itemSize, at: place),
            height: usable(size.height, as: .itemSize, at: place)
        )
    }

    /// Returns the view's insets in addition to the content inset, in section coordinates, with
    /// every side passed through ``usable(_:as:at:)``. A section that reads them is laid out again
    /// when they change.
    ///
    /// Zero for ``SectionInsetReference/fromContentInset``, because sections lie within the content
    /// inset.
    public func insets(of reference: SectionInsetReference) -> EdgeInsets {
        usable(insetsOfReference(reference))
    }

    /// Returns a number, or zero if it is negative, not finite, or larger than
    /// ``ComposedLayout/largestExtent``; such a number is reported as an error of the composed
    /// layout.
    ///
    /// - Parameters:
    ///   - value: The number.
    ///   - code: The error code, which names the purpose of the number.
    ///   - place: The element that the number belongs to; `nil` for the whole section.
    public func usable(_ value: Double, as code: LayoutError.Code, at place: LayoutPlace? = nil)
        -> Double
    {
        errors.usable(value, as: code, at: place, section: section)
    }

    /// Returns the insets with every side passed through ``usable(_:as:at:)``.
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
    /// Returns whether all inserted items of some spans exist, and no removed one is negative.
    func contains(_ spans: [ItemSpan]) -> Bool {
        spans.allSatisfy {
            $0.old.lowerBound >= 0 && $0.new.lowerBound >= 0 && $0.new.upperBound <= itemCount
        }
    }

    /// Creates an input to test a section layout on its own; a ``ComposedLayout`` creates its own
    /// inputs.
    ///
    /// An invalid item count or `acrossExtent` counts as 0.
    public init(
        section: Int = 0,
        scrollDirection: ScrollDirection = .vertical,
        acrossExtent: Double,
        itemCount: Int,
        sectionContext: (any SectionContext)? = nil,
        metrics: SectionMetrics = SectionMetrics(),
        sizeOfItem: @escaping (_ item: Int) -> Size?
    ) {
        let errors = SectionErrorReporter()
        let metrics = metrics.completed(by: sectionContext)
        self.init(
            section: section,
            scrollDirection: scrollDirection,
            acrossExtent: errors.usable(acrossExtent, as: .sectionExtent, section: section),
            itemCount: errors.usable(itemCount, as: .itemCount, section: section),
            sectionContext: sectionContext,
            metrics: metrics,
            headerExtent: metrics.headerExtent,
            footerExtent: metrics.footerExtent,
            preferredSizes: PreferredSizes.Items(),
            defaultSize: { sizeOfItem($0) ?? metrics.itemSize },
            insetsOfReference: { _ in .zero },
            errors: errors
        )
    }
}

/// The surroundings of a section's items: header, insets and footer, one after the other along the
/// scroll direction.
struct SectionFrame: Hashable, Sendable {
    let direction: ScrollDirection
    let acrossExtent: Double
    /// The insets, including those of the reference.
    let insets: EdgeInsets
    let headerExtent: Double
    let footerExtent: Double

    /// Creates a frame; values that the input does not define are the layout's own.
    init(
        _ input: SectionInput,
        insets: EdgeInsets,
        reference: SectionInsetReference,
        headerExtent: Double,
        footerExtent: Double
    ) {
        direction = input.scrollDirection
        acrossExtent = input.acrossExtent
        var sum = input.usable(input.metrics.insets ?? insets)
        let added = input.insets(of: reference)
        // Only across the scroll direction: a section does not know whether it is the first or
        // last.
        if direction == .vertical {
            (sum.left, sum.right) = (sum.left + added.left, sum.right + added.right)
        } else {
            (sum.top, sum.bottom) = (sum.top + added.top, sum.bottom + added.bottom)
        }
        self.insets = sum
        self.headerExtent = input.usable(
            input.headerExtent ?? headerExtent,
            as: .supplementarySize,
            at: .header(input.section)
        )
        self.footerExtent = input.usable(
            input.footerExtent ?? footerExtent,
            as: .supplementarySize,
            at: .footer(input.section)
        )
    }

    /// The start of the items.
    var contentStart: Double { headerExtent + insets.leading(direction) }

    var header: Rect? {
        guard headerExtent > 0 else { return nil }
        return rect(along: 0, alongExtent: headerExtent)
    }

    func extent(aroundContent content: Double) -> Double {
        contentStart + content + insets.trailing(direction) + footerExtent
    }

    func footer(belowContent content: Double) -> Rect? {
        guard footerExtent > 0 else { return nil }
        return rect(
            along: extent(aroundContent: content) - footerExtent,
            alongExtent: footerExtent
        )
    }

    private func rect(along: Double, alongExtent: Double) -> Rect {
        AxisRect(
            along: along,
            across: 0,
            alongExtent: alongExtent,
            acrossExtent: acrossExtent
        ).rect(direction)
    }
}
