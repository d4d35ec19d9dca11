// Headers and footers: where they are, and where they are held while their section scrolls by.

/// A header or footer on its way to becoming attributes.
struct FlowSupplement {
    let section: Int
    let kind: SupplementaryKind
    let frame: Rect
}

extension FlowState {
    /// What of the viewport content shows through: the bounds without the content inset, along.
    struct Viewport {
        let interval: ClosedRange<Double>
        let pinsHeaders: Bool
        let pinsFooters: Bool
    }

    /// The header of a section, or nil if it has none.
    ///
    /// - Parameter start: where the section begins.
    func header(of section: FlowSection, at start: Double, in viewport: Viewport?) -> Rect? {
        let metrics = section.rules.metrics
        guard metrics.header > 0 else { return nil }
        var along = start
        if let viewport, viewport.pinsHeaders {
            along = pinned(section, at: start)
                .headerStart(at: along, visibleFrom: viewport.interval.lowerBound)
        }
        return rect(along: along, extent: metrics.header)
    }

    /// The footer of a section, or nil if it has none.
    func footer(of section: FlowSection, at start: Double, in viewport: Viewport?) -> Rect? {
        let metrics = section.rules.metrics
        guard metrics.footer > 0 else { return nil }
        var along = start + section.extent - metrics.footer
        if let viewport, viewport.pinsFooters {
            along = pinned(section, at: start)
                .footerStart(at: along, visibleTo: viewport.interval.upperBound)
        }
        return rect(along: along, extent: metrics.footer)
    }

    private func pinned(_ section: FlowSection, at start: Double) -> PinnedSection {
        PinnedSection(
            start: start,
            end: start + section.extent,
            headerExtent: section.rules.metrics.header,
            footerExtent: section.rules.metrics.footer
        )
    }

    /// The headers or footers that may lie in a rectangle; pinned ones, if their sections do.
    func supplements(
        _ kind: SupplementaryKind,
        ofSectionsIn rect: Rect,
        viewport: Viewport?
    ) -> [FlowSupplement] {
        guard let along = along(rect) else { return [] }
        let isPinned =
            kind == .header ? viewport?.pinsHeaders ?? false : viewport?.pinsFooters ?? false
        var found: [FlowSupplement] = []
        visitSections(along) { index, section, start in
            guard
                !isPinned || self.rect(along: start, extent: section.extent).intersects(rect)
            else { return }
            let frame =
                kind == .header
                ? header(of: section, at: start, in: viewport)
                : footer(of: section, at: start, in: viewport)
            guard let frame else { return }
            found.append(FlowSupplement(section: index, kind: kind, frame: frame))
        }
        return found
    }
}

/// Where the header and footer of a section are held while it scrolls by: positions along the scroll
/// direction that ascend from the first section to the last.
///
/// Source: UICollectionViewFlowLayout, rule by rule.
struct PinnedSection {
    let start: Double
    let end: Double
    let headerExtent: Double
    let footerExtent: Double

    /// Where the header begins: not before the visible interval does, and with the footer behind it still
    /// in the section.
    func headerStart(at natural: Double, visibleFrom visible: Double) -> Double {
        min(max(natural, visible), end - footerExtent - headerExtent)
    }

    /// Where the footer begins: in the visible interval to its end, and behind the header.
    func footerStart(at natural: Double, visibleTo visible: Double) -> Double {
        max(min(natural, visible - footerExtent), start + headerExtent)
    }
}
