import CollectionLayouts
import SimulatedView

/// How an element looks that is in a range: with a paper of its own and, since nothing depends on colours
/// alone, with dots in its padding, the more the nearer it is.
enum RangeLook: String, CaseIterable {
    case visible, display, preload

    /// Nil for what is in no range. What is in several looks as the nearest of them.
    init?(_ state: InterfaceState) {
        if state.contains(.visible) {
            self = .visible
        } else if state.contains(.display) {
            self = .display
        } else if state.contains(.preload) {
            self = .preload
        } else {
            return nil
        }
    }

    var state: InterfaceState {
        switch self {
        case .visible: [.preload, .display, .visible]
        case .display: [.preload, .display]
        case .preload: .preload
        }
    }

    var fill: String {
        switch self {
        case .visible: "#d3efd9"
        case .display: "#d6e6f8"
        case .preload: "#f8ebc6"
        }
    }

    private var dots: Int {
        switch self {
        case .visible: 3
        case .display: 2
        case .preload: 1
        }
    }

    /// Draws the dots at the end of the lines of a text, where no letter is.
    func drawDots(in box: Rect, isRightToLeft: Bool, _ writer: inout SVGWriter) {
        let (extent, distance) = (3.0, 4.5)
        let height = extent + 2 * distance
        guard box.size.height >= height, box.size.width >= PictureText.padding else { return }
        for dot in 0..<dots {
            let corner = Point(
                x: isRightToLeft ? box.minX + 1.5 : box.maxX - 1.5 - extent,
                y: box.center.y + height / 2 - extent - Double(dot) * distance
            )
            writer.rect(
                Rect(origin: corner, size: Size(width: extent, height: extent)),
                ["class": "dot", "fill": "#30363d"]
            )
        }
    }
}
