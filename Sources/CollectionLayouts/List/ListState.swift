import PersistentTrees

/// The result of a list layout: all data that its queries use.
struct ListState: Sendable {
    var sections = SectionStack<ListSection>()
    let width: Double
    /// The number of pixels per unit.
    let scale: Double

    init(width: Double, host: any LayoutHost) {
        self.width = width
        scale = host.displayScale > 0 && host.displayScale.isFinite ? host.displayScale : 1
    }

    var contentSize: Size { Size(width: width, height: sections.extent) }

    /// Returns the attributes of a row, a header or a footer; `nil` if it does not exist.
    func attributes(for place: LayoutPlace) -> LayoutAttributes? {
        let (index, item) = (place.path.section, place.path.item)
        guard let section = sections.element(at: index) else { return nil }
        let start = sections.start(of: index)
        switch place.category {
        case .cell:
            guard let height = section.rows.element(at: item) else { return nil }
            let y = start + section.header + section.rows.summary(before: item).height
            return LayoutAttributes(place, frame: frame(y, height))
        case .supplementary(.header): return item == 0 ? header(of: section, index, start) : nil
        case .supplementary(.footer): return item == 0 ? footer(of: section, index, start) : nil
        case .supplementary, .decoration: return nil
        }
    }

    func frame(ofSection section: Int) -> Rect? {
        sections.element(at: section).map { frame(sections.start(of: section), $0.extent) }
    }

    /// - Parameter visitedRows: A counter that increases by the number of visited rows.
    func elements(in rect: Rect, _ visitedRows: inout Int) -> [LayoutAttributes] {
        // One more pixel on either side, because frames are rounded afterwards.
        guard
            let reach = ClosedRange.searched(
                rect.minY,
                rect.maxY,
                pixel: 1 / scale,
                within: sections.extent
            )
        else { return [] }
        var found: [LayoutAttributes] = []
        func add(_ attributes: LayoutAttributes) {
            if attributes.frame.intersects(rect) { found.append(attributes) }
        }
        sections.visit(reach) { index, section, start in
            if let header = header(of: section, index, start) { add(header) }
            if let footer = footer(of: section, index, start) { add(footer) }
            let rows = start + section.header
            var place = section.rows.place { _, summary in
                rows + summary.height >= reach.lowerBound
            }
            var cursor = section.rows.makeIterator(from: place.index)
            while let height = cursor.next(), rows + place.before.height <= reach.upperBound {
                visitedRows += 1
                let path = ItemPath(section: index, item: place.index)
                let frame = frame(rows + place.before.height, height)
                add(LayoutAttributes(.cell(path), frame: frame))
                place.index += 1
                place.before = place.before.combined(with: RowSummary(of: height))
            }
        }
        return found
    }

    private func frame(_ y: Double, _ height: Double) -> Rect {
        let pixels = (y * scale).rounded() / scale
        return Rect(x: 0, y: pixels.isFinite ? pixels : y, width: width, height: height)
    }

    /// Returns the header of a section, or `nil` if it has none.
    ///
    /// - Parameter start: The start of the section.
    private func header(of section: ListSection, _ index: Int, _ start: Double)
        -> LayoutAttributes?
    { supplement(.header(index), start, section.header) }

    /// Returns the footer of a section, or `nil` if it has none.
    private func footer(of section: ListSection, _ index: Int, _ start: Double)
        -> LayoutAttributes?
    {
        let y = start + section.header + section.rows.summary.height
        return supplement(.footer(index), y, section.footer)
    }

    private func supplement(
        _ place: LayoutPlace,
        _ y: Double,
        _ height: Double
    ) -> LayoutAttributes? {
        guard height > 0 else { return nil }
        var attributes = LayoutAttributes(place, frame: frame(y, height))
        attributes.zIndex = 10
        return attributes
    }
}

/// The sum of row heights.
struct RowSummary: SequenceSummary {
    private let sum: ExactSum

    var height: Double { sum.value }

    static var zero: RowSummary { RowSummary(sum: .zero) }

    private init(sum: ExactSum) { self.sum = sum }

    init(of row: Double) { sum = ExactSum(row) }

    @inline(__always)
    func combined(with next: RowSummary) -> RowSummary { RowSummary(sum: sum + next.sum) }
}

typealias RowHeights = PersistentSequence<Double, RowSummary>

/// A section of a list.
struct ListSection: LaidOutSection {
    private(set) var header = 0.0
    private(set) var footer = 0.0
    var rows = RowHeights()
    // The heights that the sources returned last. A view may have preferred another height since;
    // that height stays until a source returns a different value.
    private var providedHeader = 0.0
    private var providedFooter = 0.0

    init() {}

    init(rows: RowHeights) { self.rows = rows }

    var itemCount: Int { rows.count }

    var extent: Double { header + rows.summary.height + footer }

    mutating func answer(header height: Double) {
        if height != providedHeader { header = height }
        providedHeader = height
    }

    mutating func answer(footer height: Double) {
        if height != providedFooter { footer = height }
        providedFooter = height
    }

    /// Sets the height that the view of a header or footer prefers.
    mutating func prefer(_ height: Double, asHeader isHeader: Bool) {
        if isHeader { header = height } else { footer = height }
    }
}
