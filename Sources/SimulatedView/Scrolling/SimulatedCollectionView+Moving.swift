import CollectionLayouts
import CollectionPipeline

// Content that moves by itself, one frame at a time, on the view's clock.

extension SimulatedCollectionView {
    /// Whether the content continues to move after a finger lifted.
    public var isDecelerating: Bool {
        requireLane()
        return scrolling.motion?.kind == .deceleration
    }

    /// Whether the content moves in an animation that the program started.
    public var isScrollAnimating: Bool {
        requireLane()
        return scrolling.motion?.kind == .animation
    }

    /// The rate at which content slows down after a finger lifted; `normal` by default.
    public var decelerationRate: DecelerationRate {
        get {
            requireLane()
            return scrolling.rate
        }
        set {
            requireLane()
            scrolling.rate = newValue
        }
    }

    /// The offset at which the viewport is, or comes to rest.
    var restingOffset: Point { scrolling.motion?.target ?? viewport.offset }

    /// Starts to move the content by itself, unless it is already at the target. No other motion
    /// may be in progress.
    ///
    /// - Parameter goal: The item to show, whose frame may change on the way.
    func move(
        _ kind: ScrollMotion.Kind,
        to target: Point,
        goal: ScrollMotion.Goal? = nil
    ) {
        guard target != viewport.offset else { return }
        beginBusy()
        let motion = ScrollMotion(
            kind,
            from: viewport.offset,
            to: target,
            at: clock?.now ?? .zero,
            lasting: kind == .animation
                ? ScrollMotion.animationDuration : decelerationRate.duration,
            goal: goal,
            staysWithin: viewport.legal(target) == target
        )
        let number = scrolling.began(motion)
        if kind == .deceleration {
            tell(.willBeginDecelerating) { $0.collectionViewWillBeginDecelerating(self) }
        }
        guard let clock, let lane = lane.attached else { return arrive(number) }
        scheduleFrame(number, clock, lane)
    }

    private func scheduleFrame(_ number: Int, _ clock: any PipelineEnvironment, _ lane: any Lane) {
        clock.schedule(after: ScrollMotion.frame, on: lane) { [weak self] in
            self?.frame(number, clock, lane)
        }
    }

    private func frame(_ number: Int, _ clock: any PipelineEnvironment, _ lane: any Lane) {
        guard scrolling.isMoving(number) else { return }
        followGoal(number)
        guard scrolling.isMoving(number), let motion = scrolling.motion else { return }
        let now = clock.now
        if motion.isOver(at: now) { return arrive(number) }
        scroll(to: legal(motion.offset(at: now), in: motion))
        // A delegate that was notified may have stopped the motion.
        if scrolling.isMoving(number) { scheduleFrame(number, clock, lane) }
    }

    private func legal(_ offset: Point, in motion: ScrollMotion) -> Point {
        motion.staysWithin ? viewport.legal(offset) : offset
    }

    /// Updates the target, since the frame of the goal may have changed. After an update the goal's
    /// path may name another item, so the motion drops it.
    private func followGoal(_ number: Int) {
        bringUpToDate()
        // A delegate that was notified may have started another motion.
        guard scrolling.isMoving(number), let goal = scrolling.motion?.goal else { return }
        switch goal {
        case .start: scrolling.motion?.lead(to: viewport.start)
        case .item(let path, let position, let version):
            guard version == source.version, let frame = attributes(for: .cell(path))?.frame else {
                scrolling.motion?.goal = nil
                return
            }
            scrolling.motion?.lead(to: target(showing: frame, at: position))
        }
    }

    private func arrive(_ number: Int) {
        guard scrolling.isMoving(number), let motion = scrolling.motion else { return }
        if case .item(let path, let position, let version) = motion.goal, version == source.version
        {
            show(path, in: attributes(for: .cell(path))?.frame, at: position)
        } else {
            scroll(to: legal(motion.target, in: motion))
        }
        // Laying out first lets nodes receive their visible rectangles before the end of the
        // motion.
        bringUpToDate()
        if scrolling.isMoving(number), let motion = scrolling.stopped(yields: false) {
            notifyEnd(of: motion)
        }
    }

    /// Stops content that moves by itself, since something else moves the content now. Motions that
    /// the delegate starts in response reach their target immediately.
    func stopMotion() {
        if scrolling.motion != nil { bringUpToDate() }
        guard let motion = scrolling.stopped(yields: true) else { return }
        notifyEnd(of: motion)
        scrolling.yielded()
    }

    // MARK: Notifications

    /// Notifies the delegate and the nodes that a motion has ended.
    func notifyEnd(of motion: ScrollMotion) {
        switch motion.kind {
        case .deceleration:
            tell(.didEndDecelerating, nodes: .didStop) {
                $0.collectionViewDidEndDecelerating(self)
            }
        case .animation:
            tell(.didEndScrollingAnimation, nodes: .didStop) {
                $0.collectionViewDidEndScrollingAnimation(self)
            }
        }
        endBusy()
    }

    /// Notifies the nodes that the content is at rest after a finger lifted without a motion.
    func notifyRest() {
        bringUpToDate()
        guard !scrolling.isDragging, scrolling.motion == nil else { return }
        display.ranges?.note(.didStop)
        display.ranges?.sendRecordedEvents(in: self)
    }

    /// Notifies the delegate, and then the nodes in the viewport. If the delegate's response causes
    /// another notification, nodes receive that one afterwards.
    func tell(
        _ call: ViewEvent.ScrollingCall,
        nodes event: ScrollingEvent? = nil,
        _ tellDelegate: (any CollectionViewDelegate) -> Void
    ) {
        log.append(.scrolling(call))
        if let event { display.ranges?.note(event) }
        scrolling.notificationBegan()
        if let delegate { tellDelegate(delegate) }
        scrolling.notificationEnded()
        display.ranges?.sendRecordedEvents(in: self)
    }

    /// Returns whether a new move may start. If the delegate has responded to scrolling too many
    /// levels deep, reports that and returns `false`.
    func mayBegin() -> Bool {
        if !scrolling.isTooDeep { return true }
        report(
            .reentrantLayout,
            "the delegate responds to scrolling by scrolling, \(Self.roundLimit) levels deep;"
                + " the requested move does not start"
        )
        return false
    }
}

// Dragging, from the first touch until the finger lifts. All distances are those of the content
// offset, which grows as the finger moves up or to the left; in an inverted view, it grows in the
// opposite direction along the inverted axis.

extension SimulatedCollectionView {
    /// Whether a finger is dragging the content.
    public var isDragging: Bool {
        requireLane()
        return scrolling.isDragging
    }

    /// Begins to drag the content with a finger. Content that moves by itself stops, a touch is
    /// cancelled, and the view is busy until the content is at rest again. Does nothing if a finger
    /// is already dragging.
    ///
    /// ```swift
    /// view.beginDragging()
    /// view.drag(by: Point(x: 0, y: 40))
    /// view.endDragging(velocity: Point(x: 0, y: 1.2))
    /// ```
    public func beginDragging() {
        requireLane()
        if !scrolling.isDragging {
            cancelTouch()
            if scrolling.motion != nil { bringUpToDate() }
        }
        // A delegate that was notified may have begun the drag.
        if !scrolling.isDragging {
            guard mayBegin() else { return }
            // The view becomes busy before the motion ends, so that it is busy without a gap.
            beginBusy()
            if let motion = scrolling.dragBegan() { notifyEnd(of: motion) }
        }
        guard scrolling.dragNotificationBegan() else { return }
        display.ranges?.scrolled()
        tell(.willBeginDragging, nodes: .willBeginDragging) {
            $0.collectionViewWillBeginDragging(self)
        }
    }

    /// Drags the viewport right and down over the content, at most to the ends of the content.
    /// Begins a drag if there is none.
    ///
    /// - Parameter distance: The distance by which the content offset grows: opposite to the
    ///   movement of the finger, and with it along the axis on which the view is inverted.
    public func drag(by distance: Point) {
        requireLane()
        guard isUsable(distance) else { return }
        beginDragging()
        bringUpToDate()
        // A delegate that was notified may have ended the drag.
        guard scrolling.isDragging else { return }
        scrollWithin(by: distance)
    }

    /// Ends a drag. The content comes to rest at an offset that the layout and the delegate choose:
    /// after the duration of ``decelerationRate``, or immediately in a view without a clock. Begins
    /// a drag if there is none, and does nothing if the drag is already ending.
    ///
    /// - Parameters:
    ///   - offset: The proposed offset; `nil` for the offset to which the velocity carries the
    ///     content.
    ///   - velocity: The velocity of the content offset, in units per millisecond.
    public func endDragging(at offset: Point? = nil, velocity: Point) {
        requireLane()
        guard isUsable(velocity), offset.map(isUsable) ?? true else { return }
        beginDragging()
        bringUpToDate()
        guard scrolling.dragEnds() else { return }
        let target = restingPlace(after: velocity, offset)
        scrolling.dragEnded()
        // A batch fetcher waits for the end of the drag, and checks its ends after the next pass.
        setNeedsLayout()
        let number = scrolling.number
        let willDecelerate = target != viewport.offset
        tell(.didEndDragging(willDecelerate: willDecelerate), nodes: .didEndDragging) {
            $0.collectionViewDidEndDragging(self, willDecelerate: willDecelerate)
        }
        // The delegate may have started something else.
        if willDecelerate, scrolling.mayMove, scrolling.number == number, mayBegin() {
            source.fetcher?.flung(velocity)
            move(.deceleration, to: target)
        } else {
            notifyRest()
        }
        endBusy()
    }

    /// Returns the offset at which the content comes to rest after a drag, as the layout and the
    /// delegate choose.
    private func restingPlace(after velocity: Point, _ offset: Point?) -> Point {
        let way = decelerationRate.way(at: velocity)
        let (x, y) = (viewport.offset.x + way.x, viewport.offset.y + way.y)
        let proposed = offset ?? viewport.legal(Point(x: x, y: y))
        let answer = asking {
            $0.targetContentOffset(
                forProposedContentOffset: proposed,
                withScrollingVelocity: velocity
            )
        }
        log.append(.layout(.flingTarget(proposed: proposed, velocity: velocity, answer)))
        let target = viewport.legal(isUsable(answer) ? answer : proposed)
        guard let delegate else { return target }
        scrolling.notificationBegan()
        let wanted = delegate.collectionView(
            self,
            willEndDraggingWithVelocity: velocity,
            targetContentOffset: target
        )
        scrolling.notificationEnded()
        log.append(
            .scrolling(.willEndDragging(velocity: velocity, proposed: target, wanted))
        )
        return isUsable(wanted) ? viewport.legal(wanted) : target
    }
}
