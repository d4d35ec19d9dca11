extension FlowAsking {
    /// Asks for insets, spacings, header and footer of a section, in this order.
    mutating func rules(forSection section: Int, _ own: FlowSectionMetrics?) -> FlowRules {
        let metrics = host.layoutMetrics as? any FlowLayoutMetrics
        var resolved = FlowResolvedMetrics()
        let inset =
            metrics?.flowLayout(layout, insetForSection: section) ?? own?.inset
            ?? layout.sectionInset
        resolved.inset = checked(inset, section)
        resolved.interitemSpacing = checked(
            metrics?.flowLayout(layout, minimumInteritemSpacingForSection: section)
                ?? own?.minimumInteritemSpacing ?? layout.minimumInteritemSpacing,
            "interitem spacing",
            section
        )
        resolved.lineSpacing = checked(
            metrics?.flowLayout(layout, minimumLineSpacingForSection: section)
                ?? own?.minimumLineSpacing ?? layout.minimumLineSpacing,
            "line spacing",
            section
        )
        resolved.header = extent(
            metrics?.flowLayout(layout, headerReferenceSizeForSection: section)
                ?? own?.headerReferenceSize,
            layout.headerReferenceSize,
            .header(section)
        )
        resolved.footer = extent(
            metrics?.flowLayout(layout, footerReferenceSizeForSection: section)
                ?? own?.footerReferenceSize,
            layout.footerReferenceSize,
            .footer(section)
        )
        return FlowRules(environment: environment, metrics: resolved)
    }

    private mutating func checked(_ inset: EdgeInsets, _ section: Int) -> EdgeInsets {
        func number(_ value: Double) -> Double {
            value.isFinite ? value : refused(value, "inset", section)
        }
        return EdgeInsets(
            top: number(inset.top),
            left: number(inset.left),
            bottom: number(inset.bottom),
            right: number(inset.right)
        )
    }

    /// Insets may pull things together; lines and items never overlap, so that they can be searched.
    private mutating func checked(_ spacing: Double, _ name: String, _ section: Int) -> Double {
        spacing >= 0 && spacing.isFinite ? spacing : refused(spacing, name, section)
    }

    private mutating func refused(_ value: Double, _ name: String, _ section: Int) -> Double {
        let message =
            "expected a distance as \(name) of section \(section), found \(value); it counts as zero"
        notes.diagnostics.report(LayoutError(.spacing, message: message))
        return 0
    }

    private mutating func extent(_ answer: Size?, _ reference: Size, _ place: LayoutPlace) -> Double
    {
        let measured = reference == .zero ? host.measuredSize(of: place) : nil
        let size = answer ?? measured ?? reference
        let extent = size.along(environment.direction)
        if extent >= 0, extent.isFinite { return extent }
        let kind = place == .header(place.path.section) ? "headers" : "footers"
        let sort = extent < 0 ? "Negative" : "Infinite"
        let message =
            "\(sort) sizes of \(kind) are not supported by flow layout. Invalid size:"
            + " {\(size.width), \(size.height)}; section: \(place.path.section)"
        notes.diagnostics.report(LayoutError(.supplementarySize, at: place, message: message))
        return 0
    }
}
