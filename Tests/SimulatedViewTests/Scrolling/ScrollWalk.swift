import PipelineTestSupport
import SimulatedView

/// A layout and the direction of its content.
enum Course: String, CaseIterable, Sendable {
    case list, flow, composed, horizontalFlow, rightToLeftFlow, horizontalComposed

    var isHorizontal: Bool {
        self == .horizontalFlow || self == .rightToLeftFlow || self == .horizontalComposed
    }

    func makeLayout() -> CollectionLayout {
        switch self {
        case .list: return ListLayout()
        case .flow: return FlowLayout()
        case .composed: return ComposedLayout()
        case .horizontalComposed: return ComposedLayout(scrollDirection: .horizontal)
        case .horizontalFlow, .rightToLeftFlow:
            let layout = FlowLayout()
            layout.scrollDirection = .horizontal
            return layout
        }
    }
}

/// A view that a finger, the program and the content itself scroll during changes, compared with a
/// model of its content offset. The frames come from the layout; the anchor, the limits of
/// scrolling, the motions and the delegate's notifications follow from the documentation.
final class ScrollWalk {
    enum Anchor: Equatable {
        case beginning
        /// An item, and the distance of its leading upper corner from that of the bounds.
        case item(ItemPath, Point, isRightToLeft: Bool)
    }

    enum Goal {
        case start
        case item(ItemPath, vertical: Int, horizontal: Int, version: Int)
    }

    struct Motion {
        var isFling: Bool
        var (start, target): (Point, Point)
        var (frame, duration): (Int, Int)
        var goal: Goal?
        var staysWithin: Bool
    }

    let bench: Bench<CollectionLayout>
    let makeLayout: () -> CollectionLayout
    let clock: ManualClock?
    /// Whether the rows are wider than the viewport, so that an offset stays as set.
    let isFree: Bool
    /// Whether the layout must be prepared again whenever the bounds change.
    let invalidatesForBounds: Bool
    var random: SeededGenerator
    private var lastNumber = 0

    // MARK: The model

    var offset = Point.zero
    var inset = EdgeInsets.zero
    var safeArea = EdgeInsets.zero
    var anchor: Anchor?
    /// Whether the layout itself has moved the content.
    var isAdjusted = false
    /// Whether the layout must be prepared again, whether the viewport has a new extent, and
    /// whether a reload is pending.
    var (isInvalid, isResized, isReloadPending) = (false, false, false)
    /// Whether the frames are known: nothing has been invalidated since the last pass or the last
    /// scrolling.
    var hasPlaces = true
    var isDragging = false
    var motion: Motion?
    var isFast = false
    var version = 0
    var notifications: [String] = []
    /// The items that were visible in the last pass, in the order of paths.
    var shown: [(path: ItemPath, frame: Rect)] = []
    var faults: [String] = []
    var story: [String] = []
    /// The number of times that an item stayed in place although the offset changed, and that
    /// content moved during a motion.
    var (numberKept, numberShifted) = (0, 0)

    /// - Parameter course: `nil` for rows wider than the viewport.
    init(_ course: Course?, seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        isFree = course == nil
        let invalidatesForBounds = course == nil && seed % 5 == 0
        self.invalidatesForBounds = invalidatesForBounds
        makeLayout = {
            let sheet = SheetLayout()
            sheet.invalidatesForBounds = invalidatesForBounds
            return course?.makeLayout() ?? sheet
        }
        clock = seed % 4 < 3 ? ManualClock() : nil
        let texts = [9, 0, 24, 13].map { count in (0..<count).map { "\($0)" } }
        let isHorizontal = course?.isHorizontal ?? false
        bench = try Bench(
            texts,
            makeLayout(),
            size: isHorizontal ? Size(width: 200, height: 60) : Size(width: 120, height: 90),
            clock: clock
        )
        view.isRightToLeft = course == .rightToLeftFlow || isFree && seed.isMultiple(of: 2)
        bench.source.sections = texts.map { $0.map { _ in newText() } }
        bench.load()
        offset = view.contentOffset
        capture()
    }

    var view: SimulatedCollectionView { bench.view }

    var watcher: Watcher { bench.watcher }

    func newText() -> String {
        lastNumber += 1
        return "\(lastNumber)"
    }

    // MARK: Limits of scrolling

    var fullInset: EdgeInsets {
        let isAll = view.contentInsetAdjustmentBehavior == .always
        let isNone = view.contentInsetAdjustmentBehavior == .never
        return EdgeInsets(
            top: inset.top + (isNone ? 0 : safeArea.top),
            left: inset.left + (isAll ? safeArea.left : 0),
            bottom: inset.bottom + (isNone ? 0 : safeArea.bottom),
            right: inset.right + (isAll ? safeArea.right : 0)
        )
    }

    private var ends: (low: Point, high: Point) {
        let (inset, content, size) = (fullInset, view.contentSize, view.bounds.size)
        let low = Point(x: -inset.left, y: -inset.top)
        let high = Point(
            x: max(low.x, content.width + inset.right - size.width),
            y: max(low.y, content.height + inset.bottom - size.height)
        )
        return (low, high)
    }

    func clamped(_ offset: Point) -> Point {
        let (low, high) = ends
        return Point(x: min(max(low.x, offset.x), high.x), y: min(max(low.y, offset.y), high.y))
    }

    var start: Point {
        Point(x: view.isRightToLeft ? ends.high.x : ends.low.x, y: ends.low.y)
    }

    var isAtStart: Bool {
        let isLeading = view.isRightToLeft ? offset.x >= start.x : offset.x <= start.x
        return isLeading && offset.y <= start.y
    }

    // MARK: Anchors

    /// The effect of an update on an item that exists before and after it.
    enum UpdateEffect: CaseIterable { case stays, isReloaded, moves }

    /// The beginning if it is visible; otherwise a visible item that stays, otherwise one that is
    /// reloaded, preferably the first whose beginning is visible; otherwise the nearest item that
    /// stays; otherwise one that moves.
    func currentAnchor(_ effect: (ItemPath) -> UpdateEffect? = { _ in .stays }) -> Anchor? {
        if isAtStart { return .beginning }
        let isRightToLeft = view.isRightToLeft
        let bounds = Rect(origin: offset, size: view.bounds.size)
        let visible = bounds.inset(by: fullInset)
        let around = itemsAround(bounds)
        func best(_ wanted: UpdateEffect) -> (path: ItemPath, frame: Rect)? {
            let candidates = around.filter {
                effect($0.path) == wanted && $0.frame.intersects(visible)
            }
            let whole = candidates.first { _, frame in
                let isLeading =
                    isRightToLeft ? frame.maxX <= visible.maxX : frame.minX >= visible.minX
                return isLeading && frame.minY >= visible.minY
            }
            return whole ?? candidates.first
        }
        func distance(_ frame: Rect) -> Double {
            max(0, frame.minX - visible.maxX, visible.minX - frame.maxX)
                + max(0, frame.minY - visible.maxY, visible.minY - frame.maxY)
        }
        let nearest = around.filter { effect($0.path) == .stays && !$0.frame.intersects(visible) }
            .min { distance($0.frame) < distance($1.frame) }
        let found = best(.stays) ?? best(.isReloaded) ?? nearest ?? best(.moves)
        guard let (path, frame) = found else { return nil }
        let x = isRightToLeft ? frame.maxX - bounds.maxX : frame.minX - bounds.minX
        return .item(path, Point(x: x, y: frame.minY - bounds.minY), isRightToLeft: isRightToLeft)
    }

    /// The items on the pages that the viewport intersects, in the order of paths.
    private func itemsAround(_ bounds: Rect) -> [(path: ItemPath, frame: Rect)] {
        if !hasPlaces { return shown }
        func span(_ low: Double, _ extent: Double) -> (low: Double, extent: Double) {
            let first = (low / extent).rounded(.down) * extent
            return (first, ((low + extent) / extent).rounded(.up) * extent - first)
        }
        let x = span(bounds.minX, bounds.size.width)
        let y = span(bounds.minY, bounds.size.height)
        let pages = Rect(x: x.low, y: y.low, width: x.extent, height: y.extent)
        return view.collectionViewLayout.layoutAttributesForElements(in: pages)
            .filter { $0.representedElementCategory == .cell && $0.frame.intersects(pages) }
            .map { ($0.indexPath, $0.frame) }.sorted { $0.path < $1.path }
    }

    private func kept(by anchor: Anchor?) -> Point? {
        switch anchor {
        case nil: return nil
        case .beginning: return start
        case .item(let path, let distance, let isRightToLeft):
            guard let frame = frame(path) else { return nil }
            let x = isRightToLeft ? frame.maxX - view.bounds.size.width : frame.minX
            return Point(x: x - distance.x, y: frame.minY - distance.y)
        }
    }

    func frame(_ path: ItemPath) -> Rect? {
        view.collectionViewLayout.layoutAttributesForItem(at: path)?.frame
    }

    func invalidated() {
        if anchor == nil, !isAdjusted { anchor = currentAnchor() }
        (isInvalid, hasPlaces) = (true, false)
    }

    func scrolled(to target: Point) {
        guard target != offset else { return }
        (offset, anchor, isResized, hasPlaces) = (target, nil, false, true)
        if invalidatesForBounds { isInvalid = true }
    }

    /// Moves the content to keep the anchor in place, and shifts the current motion.
    func follow(_ anchor: Anchor?) {
        var kept = kept(by: anchor)
        // A rounding difference does not move the content.
        if let place = kept {
            kept = Point(
                x: abs(place.x - offset.x) < 1e-9 ? offset.x : place.x,
                y: abs(place.y - offset.y) < 1e-9 ? offset.y : place.y
            )
        }
        if let kept {
            let shift = Point(x: kept.x - offset.x, y: kept.y - offset.y)
            if anchor != .beginning {
                if shift != .zero { numberKept += 1 }
                shiftMotion(by: shift)
            } else if view.isRightToLeft {
                // Content grows away from its beginning.
                shiftMotion(by: Point(x: shift.x, y: 0))
            }
        }
        offset = clamped(kept ?? offset)
    }

    func shiftMotion(by shift: Point) {
        guard var moved = motion, shift != .zero else { return }
        numberShifted += 1
        moved.start = Point(x: moved.start.x + shift.x, y: moved.start.y + shift.y)
        moved.target = Point(x: moved.target.x + shift.x, y: moved.target.y + shift.y)
        motion = moved
    }

    /// Performs a pass in the view and in the model.
    func settle() {
        let wasAtStart = isAtStart
        view.layoutIfNeeded()
        passed(wasAtStart: wasAtStart)
        capture()
    }

    /// Updates the model after the view was laid out.
    private func passed(wasAtStart: Bool) {
        if isReloadPending {
            if anchor != .beginning { anchor = nil }
            if anchor == nil, !isAdjusted, wasAtStart { anchor = .beginning }
            (isInvalid, isReloadPending) = (true, false)
            version += 1
        }
        if isInvalid || isResized || anchor != nil { follow(anchor) }
        (anchor, isAdjusted, isInvalid, isResized) = (nil, false, false, false)
    }

    func capture() {
        hasPlaces = true
        shown = view.visibleCells.compactMap { cell in
            cell.attributes.map { ($0.indexPath, $0.frame) }
        }
    }

    // MARK: Motions

    /// Stops the current motion at its position.
    func stop() {
        guard let stopped = motion else { return }
        motion = nil
        notifications.append(stopped.isFling ? "didEndDecelerating" : "didEndScrollingAnimation")
    }

    func move(isFling: Bool, to target: Point, goal: Goal? = nil) {
        guard target != offset else { return }
        motion = Motion(
            isFling: isFling,
            start: offset,
            target: target,
            frame: 0,
            duration: isFling && !isFast ? 90 : 18,
            goal: goal,
            staysWithin: clamped(target) == target
        )
        if isFling { notifications.append("willBeginDecelerating") }
        if clock == nil { arrive() }
    }

    /// Returns the offset at which an item is in the area that the insets leave free.
    func target(showing frame: Rect, vertical: Int, horizontal: Int) -> Point {
        let (size, inset) = (view.bounds.size, fullInset)
        func place(
            _ position: Int,
            _ old: Double,
            _ item: (Double, Double),
            _ free: (Double, Double)
        )
            -> Double
        {
            switch position {
            case 0: old
            case 1: item.0 - free.0
            case 2: (item.0 + item.1) / 2 - (free.0 + free.1) / 2
            default: item.1 - free.1
            }
        }
        let columns = (inset.left, size.width - inset.right)
        let rows = (inset.top, size.height - inset.bottom)
        return clamped(
            Point(
                x: place(horizontal, offset.x, (frame.minX, frame.maxX), columns),
                y: place(vertical, offset.y, (frame.minY, frame.maxY), rows)
            )
        )
    }

    /// Advances the motion by a number of sixtieths of a second; the view was laid out first.
    func framesHavePassed(_ count: Int) {
        guard var moving = motion else { return }
        moving.frame += count
        switch moving.goal {
        case .start: moving.target = start
        case .item(let path, let vertical, let horizontal, version):
            let frame = frame(path)
            moving.target =
                frame.map { target(showing: $0, vertical: vertical, horizontal: horizontal) }
                ?? moving.target
        case .item: moving.goal = nil
        case nil: break
        }
        motion = moving
        if moving.frame >= moving.duration { return arrive() }
        let (part, left) = (
            Double(moving.frame) / Double(moving.duration),
            1 - Double(moving.frame) / Double(moving.duration)
        )
        let progress = moving.isFling ? 1 - left * left * left : part * part * (3 - 2 * part)
        let place = Point(
            x: moving.start.x * (1 - progress) + moving.target.x * progress,
            y: moving.start.y * (1 - progress) + moving.target.y * progress
        )
        scrolled(to: moving.staysWithin ? clamped(place) : place)
    }

    private func arrive() {
        guard let arrived = motion else { return }
        if case .item(let path, let vertical, let horizontal, version) = arrived.goal {
            if let frame = frame(path) {
                scrolled(to: target(showing: frame, vertical: vertical, horizontal: horizontal))
            }
        } else {
            scrolled(to: arrived.staysWithin ? clamped(arrived.target) : arrived.target)
        }
        // Nodes are notified of rest when the view is laid out at its final position.
        passed(wasAtStart: isAtStart)
        stop()
    }

    // MARK: Comparing

    func compare(_ moment: String) {
        let found = view.contentOffset
        if abs(found.x - offset.x) > 1e-6 || abs(found.y - offset.y) > 1e-6 {
            faults.append("\(moment): expected \(offset), found \(found)")
        }
        let flags = [view.isDragging, view.isDecelerating, view.isScrollAnimating, view.isBusy]
        let expected = [
            isDragging, motion?.isFling ?? false, motion.map { !$0.isFling } ?? false,
            isDragging || motion != nil,
        ]
        if flags != expected { faults.append("\(moment): expected \(expected), found \(flags)") }
        if watcher.movements != notifications {
            faults.append("\(moment): expected \(notifications), found \(watcher.movements)")
        }
        if view.adjustedContentInset != fullInset { faults.append("wrong adjusted content inset") }
        watcher.clear()
        (notifications, offset) = ([], found)
        capture()
    }
}
