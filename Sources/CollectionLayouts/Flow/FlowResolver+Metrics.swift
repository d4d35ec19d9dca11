extension FlowResolver {
    /// What a section says of itself, and else the layout; of headers and footers also what was measured.
    mutating func rules(forSection section: Int, _ own: SectionMetrics) -> FlowRules {
        let resolved = FlowResolvedMetrics(
            inset: checked(own.insets ?? settings.inset, section),
            interitemSpacing: checked(
                own.interitemSpacing ?? settings.interitemSpacing,
                "interitem spacing",
                section
            ),
            lineSpacing: checked(
                own.lineSpacing ?? settings.lineSpacing,
                "line spacing",
                section
            ),
            header: extent(own.headerExtent, settings.headerReferenceSize, .header(section)),
            footer: extent(own.footerExtent, settings.footerReferenceSize, .footer(section))
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

    private mutating func extent(
        _ answer: Double?,
        _ reference: Size,
        _ place: LayoutPlace
    ) -> Double {
        let measured = reference == .zero ? host.measuredSize(of: place) : nil
        let direction = environment.direction
        let said = answer.map { Size(along: $0, across: environment.dimension, direction) }
        let size = said ?? measured ?? reference
        let extent = size.along(direction)
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
