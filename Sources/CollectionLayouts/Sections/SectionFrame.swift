import CollectionElements

/// What is around the items of a section: header, insets and footer, one behind the other along the scroll
/// direction.
struct SectionFrame: Hashable, Sendable {
    let direction: ScrollDirection
    let acrossExtent: Double
    /// What the reference adds is included.
    let insets: EdgeInsets
    let headerExtent: Double
    let footerExtent: Double

    /// What the input does not say is the layout's own.
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
        // Not along the scroll direction: a section cannot know whether it is the first or last.
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

    /// Where the items begin.
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
