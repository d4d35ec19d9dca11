import SimulatedView
import Testing

@testable import layout_gallery

/// Columns against a plain model: one more as long as it fits.
@Suite struct ColumnFlowLayoutTests {
    private func prepared(in host: RoomHost) -> ColumnFlowLayout {
        let layout = ColumnFlowLayout(leastColumnWidth: 40, rowHeight: 7)
        layout.minimumInteritemSpacing = 6
        withExtendedLifetime(host) {
            layout.attach(to: host)
            layout.prepare()
        }
        return layout
    }

    @Test(arguments: [1.0, 2, 3])
    func asManyColumnsAsAreWideEnoughFillTheRoom(scale: Double) {
        let host = RoomHost()
        host.displayScale = scale
        host.layoutMargins = EdgeInsets(top: 1, left: 5, bottom: 2, right: 9)
        host.adjustedContentInset = EdgeInsets(top: 3, left: 17, bottom: 4, right: 2)
        for width in stride(from: 0.0, through: 330, by: 0.5) {
            host.bounds.size.width = width
            let room = width - 5 - 9 - 17 - 2
            var columns = 1
            while Double(columns + 1) * 40 + Double(columns) * 6 <= room { columns += 1 }
            let exact = (room - 6 * Double(columns - 1)) / Double(columns)
            let pixels = (exact * scale).rounded(.down) / scale
            let layout = prepared(in: host)
            #expect(layout.itemSize == Size(width: max(0, pixels), height: 7), "\(width)")
            let inset = EdgeInsets(top: 6, left: 5, bottom: 6, right: 9)
            #expect(layout.sectionInset == inset)
        }
    }

    @Test func whatFollowsFromTheWidthIsPlacedInTheSamePass() {
        let host = RoomHost()
        (host.bounds.size.width, host.itemCount) = (100, 3)
        let layout = prepared(in: host)
        let frames = (0..<3).compactMap { layout.frame(ofItem: ItemPath(section: 0, item: $0)) }
        #expect(frames.map(\.minX) == [0, 53, 0] && frames.map(\.size.width) == [47, 47, 47])
        withExtendedLifetime(host) {}
    }

    @Test func withoutViewNothingIsSet() {
        let layout = ColumnFlowLayout(leastColumnWidth: 40, rowHeight: 7)
        let size = layout.itemSize
        layout.prepare()
        #expect(layout.itemSize == size && layout.collectionViewContentSize == .zero)
    }
}

/// A view as a layout sees it: one section of items that nobody measures.
final class RoomHost: LayoutHost {
    var bounds = Rect(x: 0, y: 0, width: 100, height: 100)
    var adjustedContentInset = EdgeInsets.zero
    var safeAreaInsets = EdgeInsets.zero
    var layoutMargins = EdgeInsets.zero
    var isRightToLeft = false
    var displayScale = 1.0
    var itemCount = 0
    var layoutMetrics: AnyObject? { nil }

    var numberOfSections: Int { 1 }
    func numberOfItems(inSection section: Int) -> Int { section == 0 ? itemCount : 0 }
    func context(forSection section: Int) -> (any SectionContext)? { nil }
    func measuredSize(of place: LayoutPlace) -> Size? { nil }
    func invalidateLayout(with context: LayoutInvalidationContext) {}
}
