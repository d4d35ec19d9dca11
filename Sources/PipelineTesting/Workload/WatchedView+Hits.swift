import CollectionLayouts
import SimulatedView

extension WatchedView {
    /// Every view is hit where a reader sees the middle of its visible part, unless another lies over it there,
    /// and nothing is hit beyond the viewport.
    func checkHits() {
        for view in shown.visibleViews {
            guard let attributes = view.attributes else { continue }
            let frame = attributes.frame
            checkConversions(of: frame)
            let part = frame.intersection(shown.bounds)
            // What is hardly there may have its middle rounded to where it ends.
            if min(part.size.width, part.size.height) < Point.tolerance { continue }
            let point = shown.convertToViewport(part.center)
            guard let hit = shown.hitTest(point), let found = hit.attributes else {
                report("nothing is hit in the middle of \(attributes.place), at \(point)")
                continue
            }
            if hit !== view, found.isBehind(attributes) || !found.frame.reaches(part.center) {
                report("\(found.place) is hit in the middle of \(attributes.place)")
            }
        }
        let size = shown.size
        for point in [Point(x: size.width, y: 0), Point(x: 0, y: size.height), Point(x: -1, y: 0)]
        where shown.hitTest(point) != nil {
            report("something is hit beyond the viewport, at \(point)")
        }
    }

    /// What is seen of a frame leads back to it, and is where its middle is seen.
    private func checkConversions(of frame: Rect) {
        let seen = shown.convertToViewport(frame)
        let middle = shown.convertToViewport(frame.center)
        let back = shown.convertFromViewport(seen)
        if !seen.center.isNear(middle) { report("\(frame) is seen at \(seen), around \(middle)") }
        if !back.origin.isNear(frame.origin) || back.size != frame.size {
            report("\(frame) is seen at \(seen), which is \(back) in the content")
        }
    }
}

extension Rect {
    /// Whether a point lies in it or on any edge.
    fileprivate func reaches(_ point: Point) -> Bool {
        (minX...maxX).contains(point.x) && (minY...maxY).contains(point.y)
    }
}

extension Point {
    /// What sums of small numbers may round away.
    fileprivate static let tolerance = 1e-6

    fileprivate func isNear(_ other: Point) -> Bool {
        abs(x - other.x) < Self.tolerance && abs(y - other.y) < Self.tolerance
    }
}
