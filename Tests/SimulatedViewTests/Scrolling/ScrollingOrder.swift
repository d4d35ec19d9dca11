import PipelineTestSupport
import SimulatedView

/// What is wrong with the order in which scrolling was told: of a delegate's calls, and of what each node heard.
struct ScrollingOrder {
    private enum Content { case resting, dragging, letGo, decelerating }

    private enum Finger { case unknown, drags, isGone }

    private var content = Content.resting
    private var hasAskedWhereToEnd = false
    private var fingers: [String: Finger] = [:]
    private(set) var faults: [String] = []

    /// Whether the content is said to have come to rest.
    var isAtRest: Bool { content == .resting || content == .letGo }

    mutating func willBeginDragging() {
        step(content == .resting || content == .letGo, to: .dragging, "willBeginDragging")
        hasAskedWhereToEnd = false
    }

    mutating func willEndDragging() {
        step(content == .dragging && !hasAskedWhereToEnd, to: .dragging, "willEndDragging")
        hasAskedWhereToEnd = true
    }

    mutating func didEndDragging(willDecelerate: Bool) {
        let isRight = content == .dragging && hasAskedWhereToEnd
        step(isRight, to: willDecelerate ? .letGo : .resting, "didEndDragging")
    }

    mutating func willBeginDecelerating() {
        step(content == .letGo, to: .decelerating, "willBeginDecelerating")
    }

    mutating func didEndDecelerating() {
        step(content == .decelerating, to: .resting, "didEndDecelerating")
    }

    private mutating func step(_ isRight: Bool, to next: Content, _ call: String) {
        if !isRight { faults.append("\(call) while the content is \(content)") }
        content = next
    }

    // MARK: Nodes

    mutating func came(_ node: String) { fingers[node] = .unknown }

    mutating func went(_ node: String) { fingers[node] = nil }

    mutating func heard(_ event: ScrollingEvent, _ node: String) {
        guard let finger = fingers[node] else {
            faults.append("\(node) hears \(event) and is not visible")
            return
        }
        switch (event, finger) {
        case (.willBeginDragging, .drags), (.didEndDragging, .isGone), (.didStop, .drags):
            faults.append("\(node) hears \(event), and the finger \(finger)")
        default: break
        }
        switch event {
        case .willBeginDragging: fingers[node] = .drags
        case .didEndDragging: fingers[node] = .isGone
        default: break
        }
    }
}
