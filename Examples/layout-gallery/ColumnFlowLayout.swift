import SimulatedView

/// Columns of equal width, as many as are wide enough: a flow layout that sets its item size itself.
///
/// It computes from whatever room there is, within the margins and what bars cover, every time that it
/// prepares, so that it needs nobody to tell it of another width.
final class ColumnFlowLayout: FlowLayout {
    /// What a column is at least as wide as.
    let leastColumnWidth: Double
    let rowHeight: Double

    init(leastColumnWidth: Double, rowHeight: Double) {
        self.leastColumnWidth = leastColumnWidth
        self.rowHeight = rowHeight
        super.init()
    }

    override func prepare() {
        defer { super.prepare() }
        guard let host else { return }
        let margins = host.layoutMargins
        sectionInset = EdgeInsets(
            top: minimumInteritemSpacing,
            left: margins.left,
            bottom: minimumInteritemSpacing,
            right: margins.right
        )
        let covered = host.adjustedContentInset
        let room =
            host.bounds.size.width - covered.left - covered.right - margins.left - margins.right
        let spacing = minimumInteritemSpacing
        let columns = max(1, ((room + spacing) / (leastColumnWidth + spacing)).rounded(.down))
        // Down to pixels: a sum of widths that is too large by a rounding error would break the line.
        let scale = host.displayScale
        let width = ((room - (columns - 1) * spacing) / columns * scale).rounded(.down) / scale
        itemSize = Size(width: max(0, width), height: rowHeight)
    }
}
