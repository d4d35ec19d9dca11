import PipelineTestSupport
import SimulatedView

/// What is done to a view that scrolls.
enum ScrollInput: String, CaseIterable, Sendable {
    case begin, drag, letGo, fling, flingBack, set, animate, animateBack, toItem, toTop
    case resize, layout, frames, update
}

/// Where the content of a view is, what moves it and what its delegate is told: rows of 10, in a few lines.
struct ScrollModel {
    private enum Content: Equatable {
        case resting
        case dragging
        case moving(to: Double, framesLeft: Int, isFling: Bool, item: Int?)
    }

    private var content = Content.resting
    private(set) var height = 30.0
    private(set) var numberOfRows = 60
    private(set) var waiting = 0
    /// Where the content is; in between while it moves.
    private(set) var low = 0.0
    private(set) var high = 0.0

    private var end: Double { Double(numberOfRows) * 10 - height }

    private func legal(_ y: Double) -> Double { max(0, min(end, y)) }

    var isDragging: Bool { content == .dragging }

    var isFlung: Bool { if case .moving(_, _, true, _) = content { true } else { false } }

    var isAnimated: Bool { if case .moving(_, _, false, _) = content { true } else { false } }

    var isBusy: Bool { content != .resting }

    /// Does the same as the view.
    ///
    /// - Parameter y: where the view is by now, which the model believes where it does not compute it.
    /// - Returns: what the delegate is told.
    mutating func take(_ input: ScrollInput, y: Double, before: Double) -> [String] {
        var told: [String] = []
        switch input {
        case .begin: told = begin(before)
        case .drag:
            told = begin(before)
            place(legal(low + 15))
        case .letGo: told = letGo(0, before)
        case .fling: told = letGo(1, before)
        case .flingBack: told = letGo(-2, before)
        case .set:
            told = stop(before)
            place(560)
        case .animate: told = move(to: 300, before)
        case .animateBack: told = move(to: 40, before)
        case .toItem: told = move(to: legal(400), item: 40, before)
        case .toTop: told = move(to: 0, before)
        case .resize: resize(before)
        case .layout:
            told = stop(before)
            // What is in the middle of the viewport stays visible, which is told nobody.
            place(y)
        case .frames: told = frames()
        case .update: waiting += 1
        }
        deploy()
        return told
    }

    private mutating func place(_ y: Double) { (low, high) = (y, y) }

    /// What moves stops where it is.
    private mutating func stop(_ before: Double) -> [String] {
        guard isFlung || isAnimated else { return [] }
        defer { content = .resting }
        place(before)
        return [isFlung ? "didEndDecelerating" : "didEndScrollingAnimation"]
    }

    private mutating func begin(_ before: Double) -> [String] {
        if isDragging { return [] }
        let told = stop(before) + ["willBeginDragging"]
        content = .dragging
        return told
    }

    private mutating func letGo(_ velocity: Double, _ before: Double) -> [String] {
        var told = begin(before)
        let target = legal(low + velocity * 100)
        let goesOn = target != low
        told += ["willEndDragging \(velocity) to \(target)", "didEndDragging \(goesOn)"]
        content = .resting
        guard goesOn else { return told }
        go(to: target, isFling: true)
        return told + ["willBeginDecelerating"]
    }

    private mutating func move(to target: Double, item: Int? = nil, _ before: Double) -> [String] {
        let told = stop(before)
        if isDragging {
            place(target)
        } else if target != low {
            go(to: target, isFling: false, item)
        }
        return told
    }

    private mutating func go(to target: Double, isFling: Bool, _ item: Int? = nil) {
        content = .moving(to: target, framesLeft: 18, isFling: isFling, item: item)
        (low, high) = (min(low, target), max(high, target))
    }

    private mutating func resize(_ before: Double) {
        height = height == 30 ? 50 : 30
        guard case .moving(let target, let left, let isFling, let item) = content else {
            return place(legal(low))
        }
        // Where a fling and an item end depends on the ends of the content.
        let newTarget = isFling || item != nil ? legal(item.map { _ in 400 } ?? target) : target
        content = .moving(to: newTarget, framesLeft: left, isFling: isFling, item: item)
        let y = legal(before)
        (low, high) = (min(y, newTarget), max(y, newTarget))
    }

    private mutating func frames() -> [String] {
        guard case .moving(let target, let left, let isFling, let item) = content else { return [] }
        if left > 9 {
            content = .moving(to: target, framesLeft: left - 9, isFling: isFling, item: item)
            return []
        }
        content = .resting
        place(target)
        return [isFling ? "didEndDecelerating" : "didEndScrollingAnimation"]
    }

    /// What waits is shown as soon as nothing moves.
    private mutating func deploy() {
        guard !isBusy else { return }
        numberOfRows += waiting
        waiting = 0
    }
}
