import CollectionLayouts
import PersistentTrees

/// The rules of the flow layout once more, written down as they are read: arrays, and every frame
/// computed from the beginning. Only rounding to pixels is left to the comparison.
struct NaiveFlow {
    struct Section {
        var frame: Rect
        var header: Rect?
        var footer: Rect?
        var items: [Rect]
    }

    var contentSize = Size.zero
    var sections: [Section] = []

    private let isVertical: Bool
    private let isMirrored: Bool
    private let dimension: Double

    /// - Parameter layout: gives direction and defaults.
    init(_ host: ScriptedHost, _ layout: FlowLayout) {
        isVertical = layout.scrollDirection == .vertical
        isMirrored = host.isRightToLeft
        let inset = host.adjustedContentInset
        dimension =
            isVertical
            ? host.bounds.size.width - inset.left - inset.right
            : host.bounds.size.height - inset.top - inset.bottom
        guard dimension > 0, host.bounds.size.width > 0, host.bounds.size.height > 0 else { return }
        var reference = EdgeInsets.zero
        if layout.sectionInsetReference == .fromSafeArea { reference = host.safeAreaInsets }
        if layout.sectionInsetReference == .fromLayoutMargins { reference = host.layoutMargins }
        if isMirrored { (reference.left, reference.right) = (reference.right, reference.left) }

        var frames: [(start: Double, extent: Double, header: Double, footer: Double)] = []
        var items: [[(x: Double, y: Double, width: Double, height: Double)]] = []
        // Everything below is computed as if scrolling were vertical.
        var y = isVertical ? reference.top : reference.left
        for section in host.sections {
            let inset = turned(section.inset ?? layout.sectionInset)
            let margins = turned(reference)
            let (header, footer) = (section.header ?? 0, section.footer ?? 0)
            let sizes = section.items.map { size in
                let size = size ?? layout.itemSize
                return isVertical ? size : Size(width: size.height, height: size.width)
            }
            let left = inset.left + margins.left
            let room = dimension - left - inset.right - margins.right
            let (placed, extent) = Self.lines(
                sizes,
                left: left,
                room: room,
                dimension: dimension,
                interitem: section.interitem ?? layout.minimumInteritemSpacing,
                line: section.line ?? layout.minimumLineSpacing
            )
            let top = y + header + inset.top
            items.append(placed.map { ($0.x, $0.y + top, $0.width, $0.height) })
            let height = max(0, header + inset.top + extent + inset.bottom + footer)
            frames.append((y, height, header, footer))
            y += height
        }
        let end = y + (isVertical ? reference.bottom : reference.right)
        contentSize =
            isVertical
            ? Size(width: dimension, height: end) : Size(width: end, height: dimension)
        for (frame, items) in zip(frames, items) {
            sections.append(
                Section(
                    frame: rect(0, frame.start, dimension, frame.extent),
                    header: frame.header > 0
                        ? rect(0, frame.start, dimension, frame.header) : nil,
                    footer: frame.footer > 0
                        ? rect(
                            0,
                            frame.start + frame.extent - frame.footer,
                            dimension,
                            frame.footer
                        ) : nil,
                    items: items.map { rect($0.x, $0.y, $0.width, $0.height) }
                )
            )
        }
    }

    private func turned(_ inset: EdgeInsets) -> EdgeInsets {
        isVertical
            ? inset
            : EdgeInsets(
                top: inset.left,
                left: inset.top,
                bottom: inset.right,
                right: inset.bottom
            )
    }

    private func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Rect {
        var rect =
            isVertical
            ? Rect(x: x, y: y, width: width, height: height)
            : Rect(x: y, y: x, width: height, height: width)
        if isMirrored { rect.origin.x = contentSize.width - rect.maxX }
        return rect
    }

    private typealias Placed = (x: Double, y: Double, width: Double, height: Double)

    private static func lines(
        _ sizes: [Size],
        left: Double,
        room: Double,
        dimension: Double,
        interitem: Double,
        line spacing: Double
    ) -> ([Placed], extent: Double) {
        guard let first = sizes.first else { return ([], 0) }
        let isUniform = sizes.allSatisfy { $0 == first }
        var lines: [[Size]] = []
        var perLine = 0
        let pitchIsZero = first.width + interitem == 0
        if isUniform {
            // Where neither items nor spaces have a width, any number fits.
            let pitch = first.width + interitem
            perLine = pitch > 0 ? max(1, Int(((room + interitem) / pitch).rounded(.down))) : 1000
            for start in stride(from: 0, to: sizes.count, by: perLine) {
                lines.append(Array(sizes[start..<min(sizes.count, start + perLine)]))
            }
        } else {
            var remaining = 0.0
            for (index, size) in sizes.enumerated() {
                if index == 0 || size.width > remaining {
                    lines.append([])
                    remaining = room
                }
                lines[lines.count - 1].append(size)
                remaining -= size.width + interitem
            }
        }
        let areAllSingle = lines.allSatisfy { $0.count == 1 }
        var placed: [Placed] = []
        var y = 0.0
        for (index, line) in lines.enumerated() {
            let isLast = index == lines.count - 1 && !areAllSingle
            let extent = line.map(\.height).max() ?? 0
            var x = left
            var gap = interitem
            if isUniform, pitchIsZero {
                gap = 0
            } else if isUniform, perLine > 1 {
                gap = (room - first.width * Double(perLine)) / Double(perLine - 1)
            } else if !isLast, line.count > 1 {
                let fill = line.reduce(0) { $0 + $1.width }
                gap = (room - fill) / Double(line.count - 1)
            }
            if line.count == 1, !isLast {
                x =
                    isUniform
                    ? left + (room - line[0].width) / 2 : (dimension - line[0].width) / 2
            }
            for size in line {
                placed.append((x, y + (extent - size.height) / 2, size.width, size.height))
                x += size.width + gap
            }
            y += extent + spacing
        }
        return (placed, y - spacing)
    }
}
