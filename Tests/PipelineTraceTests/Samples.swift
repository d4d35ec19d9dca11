import CollectionLayouts
import PipelineTrace

/// A cell with a text.
func cell(
    _ section: Int,
    _ item: Int,
    _ frame: Rect,
    _ lines: [String] = [],
    key: String? = nil
) -> PicturedElement {
    let place = LayoutPlace.cell(ItemPath(section: section, item: item))
    return PicturedElement(LayoutAttributes(place, frame: frame), key: key, lines: lines)
}

/// A view with three rows.
final class RowsHost: LayoutHost {
    let bounds = Rect(x: 0, y: 0, width: 200, height: 100)
    let adjustedContentInset = EdgeInsets.zero
    let safeAreaInsets = EdgeInsets.zero
    let layoutMargins = EdgeInsets.zero
    let isRightToLeft = false
    let displayScale = 1.0
    var layoutMetrics: AnyObject? { nil }

    var numberOfSections: Int { 1 }
    func numberOfItems(inSection section: Int) -> Int { 3 }
    func context(forSection section: Int) -> (any SectionContext)? { nil }
    func measuredSize(of place: LayoutPlace) -> Size? { nil }
    func invalidateLayout(with context: LayoutInvalidationContext) {}
}

extension LayoutPicture {
    /// Rows of 30 at full width, in a viewport of 200 × 100.
    static func rows(_ keys: [[String]]) -> LayoutPicture {
        var elements: [PicturedElement] = []
        var y = 0.0
        for (section, keys) in keys.enumerated() {
            for (item, key) in keys.enumerated() {
                let frame = Rect(x: 0, y: y, width: 200, height: 30)
                elements.append(cell(section, item, frame, [key], key: key))
                y += 30
            }
        }
        return LayoutPicture(
            bounds: Rect(x: 0, y: 0, width: 200, height: 100),
            contentSize: Size(width: 200, height: y),
            elements: elements
        )
    }
}

extension ParsedSVG.Node {
    /// From content coordinates of one of the panels to those of the sheet.
    func onSheet(_ point: Point, panel index: Int) -> Point? {
        let panels = all(ofClass: "panel")
        guard panels.indices.contains(index), let x = panels[index].number("x"),
            let y = panels[index].number("y")
        else { return nil }
        let box = panels[index].attributes["viewBox"]?.split(separator: " ").compactMap {
            Double(String($0))
        }
        guard let box, box.count == 4 else { return nil }
        return Point(x: x + point.x - box[0], y: y + point.y - box[1])
    }
}
