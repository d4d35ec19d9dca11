import PipelineTestSupport
import SimulatedView

// The actions of a walk on its view and on its model.

extension ScrollWalk {
    /// Performs one step of one to three actions.
    ///
    /// - Returns: A fault found afterwards.
    func step() throws -> String? {
        for _ in 0...(random.isTrue(oneIn: isFree ? 2 : 3) ? 2 : 0) where faults.isEmpty {
            try act()
        }
        settle()
        compare("after a pass")
        bench.lane.run()
        compare("in a later turn")
        faults += view.ownErrors
        return faults.first
    }

    private func number(_ low: Int, _ high: Int) -> Double {
        Double(low + random.next(below: high - low + 1))
    }

    private func act() throws {
        let kind = random.next(below: isFree ? 28 : 25)
        story.append("\(kind)")
        switch kind {
        case 0, 1: scroll()
        case 2, 3, 25: setOffset()
        case 4...6: drag()
        case 7...9: endDrag()
        case 10, 11: try scrollToItem()
        case 12, 13: try update()
        case 14: try insertOne()
        case 15: reload()
        case 16: changeInsets()
        case 17, 26, 27: resize()
        case 18, 19: changeLayout()
        case 20: view.isInverted.toggle()
        case 21: try switchLayout()
        default: passFrames()
        }
    }

    // MARK: Scrolling

    private func scroll() {
        let isAnimated = random.isTrue(oneIn: 2)
        if random.isTrue(oneIn: 4) {
            settle()
            view.scrollToTop(animated: isAnimated)
            stop()
            if isAnimated, !isDragging {
                move(isFling: false, to: start, goal: .start)
            } else {
                scrolled(to: start)
            }
            return compare("scrolled to the top")
        }
        settle()
        let distance = Point(x: number(-60, 60), y: number(-90, 90))
        let scrolls = watcher.numberOfScrolls
        view.scroll(by: distance)
        stop()
        let target = clamped(Point(x: offset.x + distance.x, y: offset.y + distance.y))
        let count = target == offset ? 0 : 1
        scrolled(to: target)
        if watcher.numberOfScrolls != scrolls + count {
            faults.append("unexpected number of scroll notifications")
        }
        compare("scrolled by \(distance)")
    }

    /// A motion is updated before it stops; otherwise nothing is laid out, so that the offset takes
    /// precedence.
    private func setOffset() {
        var target = Point(x: number(-40, 400), y: number(-40, 700))
        let isAnimated = random.isTrue(oneIn: 2)
        if motion != nil || isAnimated { settle() }
        if !isFree { target = clamped(target) }
        if isAnimated {
            view.setContentOffset(target, animated: true)
        } else {
            view.contentOffset = target
        }
        stop()
        if isAnimated, !isDragging {
            move(isFling: false, to: target)
            // Without a clock the animation has arrived, and the view was laid out.
            if clock == nil { compare("arrived") }
        } else {
            scrolled(to: target)
        }
    }

    private func begin() {
        guard !isDragging else { return }
        stop()
        isDragging = true
        notifications.append("willBeginDragging")
    }

    private func drag() {
        settle()
        let distance = Point(x: number(-80, 80), y: number(-200, 200))
        if random.isTrue(oneIn: 3) {
            view.beginDragging()
            begin()
        } else {
            view.drag(by: distance)
            begin()
            scrolled(to: clamped(Point(x: offset.x + distance.x, y: offset.y + distance.y)))
        }
        compare("after a drag")
    }

    private func endDrag() {
        settle()
        if random.isTrue(oneIn: 3) {
            isFast.toggle()
            view.decelerationRate = isFast ? .fast : .normal
        }
        let velocity = Point(x: number(-2, 2) / 8, y: number(-3, 3) / 4)
        let given = random.isTrue(oneIn: 3) ? Point(x: number(-80, 500), y: number(-80, 900)) : nil
        let requested =
            random.isTrue(oneIn: 3) ? Point(x: number(-80, 500), y: number(-80, 900)) : nil
        watcher.flingTarget = { requested ?? $0 }
        view.endDragging(at: given, velocity: velocity)
        begin()
        let time = isFast ? 100.0 : 500
        let way = Point(x: velocity.x * time, y: velocity.y * time)
        let target = clamped(given ?? Point(x: offset.x + way.x, y: offset.y + way.y))
        notifications.append(
            "willEndDragging \(velocity.x) \(velocity.y) to \(target.x + 0) \(target.y + 0)"
        )
        let end = requested.map(clamped) ?? target
        isDragging = false
        notifications.append("didEndDragging \(end != offset)")
        move(isFling: true, to: end)
        compare("after a finger let go")
    }

    private func passFrames() {
        guard let clock else { return }
        for _ in 0...random.next(below: 9) {
            settle()
            let late = story.count.isMultiple(of: 5) ? story.count % 29 : 0
            clock.frames(late: late)
            framesHavePassed(1 + late)
            compare("after a frame")
            settle()
        }
    }

    private func somePath() -> ItemPath? {
        let sections = bench.source.sections
        let filled = sections.indices.filter { !sections[$0].isEmpty }
        guard let section = filled.randomElement(using: &random) else { return nil }
        return ItemPath(section, random.next(below: sections[section].count))
    }

    private func scrollToItem() throws {
        settle()
        guard let path = somePath(), let frame = frame(path) else { return }
        let along: [ScrollPosition] = [[], .top, .centeredVertically, .bottom]
        let across: [ScrollPosition] = [[], .left, .centeredHorizontally, .right]
        let (vertical, horizontal) = (random.next(below: 4), random.next(below: 4))
        let isAnimated = random.isTrue(oneIn: 2)
        let position = along[vertical].union(across[horizontal])
        try view.scrollToItem(at: path, at: position, animated: isAnimated)
        stop()
        let target = target(showing: frame, vertical: vertical, horizontal: horizontal)
        if isAnimated, !isDragging {
            let goal = Goal.item(
                path,
                vertical: vertical,
                horizontal: horizontal,
                version: version
            )
            move(isFling: false, to: target, goal: goal)
        } else {
            scrolled(to: target)
        }
        compare("scrolled to \(path) at \(vertical) \(horizontal)")
    }

    // MARK: Content

    private func update() throws {
        settle()
        let old = HierarchyShape(bench.source.sections.map(\.count))
        let drawn = RandomUpdate(from: old, &random, rate: random.isTrue(oneIn: 4) ? 0.4 : 0.05)
        let valid = try drawn.changes.validated(from: old, to: drawn.newShape)
        let before = bench.source.sections
        let after = valid.models(after: before, makeText: newText)
        var noted = currentAnchor { effect(on: $0, in: valid) }
        if case .item(let path, let distance, let isRightToLeft) = noted {
            noted = valid.newPath(for: path).map {
                .item($0, distance, isRightToLeft: isRightToLeft)
            }
        }
        let scrolls = watcher.numberOfScrolls
        let hasEdits = !valid.edits.isEmpty || !valid.reconfigurations.isEmpty
        let requested =
            random.isTrue(oneIn: 8) ? Point(x: number(-9, 300), y: number(-9, 500)) : nil
        let layout = view.collectionViewLayout as? SheetLayout
        if let layout, version.isMultiple(of: 2) {
            layout.target = { requested ?? $0 }
        } else {
            watcher.target = { requested ?? $0 }
        }
        try bench.adapter.performBatchUpdates(animated: random.isTrue(oneIn: 2)) { changes in
            bench.source.sections = after
            for operation in drawn.changes.operations { changes.record(operation) }
        }
        updated(keeping: noted)
        if let requested, hasEdits { offset = clamped(requested) }
        watcher.target = { $0 }
        layout?.target = { $0 }
        if watcher.numberOfScrolls != scrolls {
            faults.append("an update was notified as a scroll")
        }
        compare("after an update")
    }

    /// A single edit without a layout pass before it: an anchor from an earlier change still
    /// counts.
    private func insertOne() throws {
        guard !isReloadPending, !bench.source.sections.isEmpty else { return }
        let section = random.next(below: bench.source.sections.count)
        let item = random.next(below: bench.source.sections[section].count + 1)
        bench.source.sections[section].insert(newText(), at: item)
        var noted = anchor ?? currentAnchor()
        if case .item(let path, let distance, let isRightToLeft) = noted, path.section == section,
            path.item >= item
        {
            let newPath = ItemPath(section, path.item + 1)
            noted = .item(newPath, distance, isRightToLeft: isRightToLeft)
        }
        try bench.adapter.insertItems(at: [ItemPath(section, item)])
        updated(keeping: noted)
        compare("after an insert")
    }

    private func effect(on path: ItemPath, in update: ValidatedChangeSet) -> UpdateEffect? {
        if update.newPath(for: path) == nil { return nil }
        let section = update.sectionRemovals.first { $0.section == path.section }?.role
        let role = update.itemRemovals.first { $0.path == path }?.role
        if section == .move || role == .move { return .moves }
        return role == .reload ? .isReloaded : .stays
    }

    private func updated(keeping noted: Anchor?) {
        follow(noted)
        version += 1
        (anchor, isAdjusted, isInvalid, isResized) = (nil, false, false, false)
    }

    private func reload() {
        if random.isTrue(oneIn: 2) {
            bench.source.sections = (0..<(1 + random.next(below: 4))).map { _ in
                (0..<random.next(below: 25)).map { _ in newText() }
            }
        }
        bench.adapter.reloadData()
        isReloadPending = true
    }

    // MARK: Environment

    private func changeInsets() {
        let new = EdgeInsets(
            top: number(0, 15),
            left: number(0, 9),
            bottom: number(0, 15),
            right: number(0, 9)
        )
        let all = ContentInsetAdjustmentBehavior.allCases
        let behavior = all[random.next(below: all.count)]
        switch random.next(below: 4) {
        case 0 where new != safeArea:
            invalidated()
            safeArea = new
            view.safeAreaInsets = new
        case 1 where behavior != view.contentInsetAdjustmentBehavior:
            invalidated()
            view.contentInsetAdjustmentBehavior = behavior
        case 2 where isFree:
            invalidated()
            view.isRightToLeft.toggle()
        case 3 where new != inset:
            invalidated()
            inset = new
            view.contentInset = new
        default: break
        }
    }

    private func resize() {
        let size = Size(width: number(8, 20) * 10, height: number(5, 20) * 10)
        guard size != view.bounds.size else { return }
        let wasInvalid = isInvalid
        invalidated()
        // Rows with a fixed width do not depend on the size.
        isInvalid = wasInvalid || !isFree || invalidatesForBounds
        view.resize(to: size)
        isResized = true
    }

    private func changeLayout() {
        invalidated()
        switch view.collectionViewLayout {
        case let layout as SheetLayout: change(layout)
        case let layout as ListLayout:
            layout.rowHeight = number(20, 60)
            layout.invalidateLayout()
        case let layout as FlowLayout:
            layout.itemSize = Size(width: number(20, 50), height: number(20, 50))
            layout.invalidateLayout()
        default: view.collectionViewLayout.invalidateLayout()
        }
    }

    /// The item nearest to the middle moves to the middle; selected visible items take precedence.
    private func switchLayout() throws {
        settle()
        try view.selectItem(at: nil)
        for (path, _) in shown where random.isTrue(oneIn: 8) { try view.selectItem(at: path) }
        capture()
        func distance(_ frame: Rect) -> Double {
            let (x, y) = (
                frame.center.x - view.bounds.center.x, frame.center.y - view.bounds.center.y
            )
            return x * x + y * y
        }
        let selected = shown.filter { view.indexPathsForSelectedItems.contains($0.path) }
        let candidates = selected.isEmpty ? shown : selected
        let focus =
            isAtStart ? nil : candidates.min { distance($0.frame) < distance($1.frame) }?.path
        view.setCollectionViewLayout(makeLayout(), animated: random.isTrue(oneIn: 2))
        stop()
        let place = focus.flatMap { frame($0) }
        offset = place.map { target(showing: $0, vertical: 2, horizontal: 2) } ?? start
        compare("after another layout")
    }

    /// New heights and widths; the layout can move the content itself, which replaces an anchor.
    private func change(_ layout: SheetLayout) {
        if random.isTrue(oneIn: 4) { layout.rowWidth = number(10, 40) * 10 }
        if let path = somePath() { layout.heights[path] = number(4, 30) }
        let context = LayoutInvalidationContext()
        let isAdjusting = random.isTrue(oneIn: 3)
        let shift = isAdjusting ? Point(x: number(-9, 9), y: number(-9, 9)) : .zero
        context.contentOffsetAdjustment = shift
        layout.invalidateLayout(with: context)
        guard shift != .zero else { return }
        shiftMotion(by: shift)
        offset = Point(x: offset.x + shift.x, y: offset.y + shift.y)
        (anchor, isAdjusted) = (nil, true)
    }
}
