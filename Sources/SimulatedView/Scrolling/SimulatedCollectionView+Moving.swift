import CollectionLayouts
import CollectionPipeline

// Content that moves by itself: a frame at a time, on the view's clock.

extension SimulatedCollectionView {
    /// Whether the content goes on after a finger let go of it.
    public var isDecelerating: Bool {
        requireLane("isDecelerating")
        return scrolling.motion?.kind == .deceleration
    }

    /// Whether the content is on its way to where the program has it scroll.
    public var isScrollAnimating: Bool {
        requireLane("isScrollAnimating")
        return scrolling.motion?.kind == .animation
    }

    /// How soon content comes to rest that a finger let go of; `normal` at first.
    public var decelerationRate: DecelerationRate {
        get {
            requireLane("decelerationRate")
            return scrolling.rate
        }
        set {
            requireLane("decelerationRate")
            scrolling.rate = newValue
        }
    }

    /// Where the viewport is, or comes to rest.
    var restingOffset: Point { scrolling.motion?.target ?? viewport.offset }

    /// Has the content move by itself, unless it is there.
    ///
    /// - Parameter goal: the item to be shown, which may turn out to be elsewhere on the way.
    func move(
        _ kind: ScrollMotion.Kind,
        to target: Point,
        goal: ScrollMotion.Goal? = nil
    ) {
        stopMotion()
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
            log.append(.scrolling(.willBeginDecelerating))
            delegate?.collectionViewWillBeginDecelerating(self)
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
        followGoal()
        guard scrolling.isMoving(number), let motion = scrolling.motion else { return }
        let now = clock.now
        if motion.isOver(at: now) { return arrive(number) }
        scroll(to: legal(motion.offset(at: now), in: motion))
        // Whoever was told may have stopped it.
        if scrolling.isMoving(number) { scheduleFrame(number, clock, lane) }
    }

    private func legal(_ offset: Point, in motion: ScrollMotion) -> Point {
        motion.staysWithin ? viewport.legal(offset) : offset
    }

    /// What is to be shown may lie elsewhere by now; after an update nobody knows which item it was.
    private func followGoal() {
        guard let goal = scrolling.motion?.goal else { return }
        bringUpToDate()
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
        if scrolling.isMoving(number) { stopMotion() }
    }

    /// What moves by itself has come to rest, or stops where it is.
    func stopMotion() {
        guard let motion = scrolling.stopped() else { return }
        comeToRest(motion.kind)
        if !Mutant.staysBusy.isActive { endBusy() }
    }

    /// - Parameter kind: how it moved; nil where a finger let go of it.
    func comeToRest(_ kind: ScrollMotion.Kind?) {
        // Nodes hear first which part of them is to be seen.
        bringUpToDate()
        if Mutant.forgetsScrollEnd.isActive { return }
        switch kind {
        case .deceleration:
            log.append(.scrolling(.didEndDecelerating))
            delegate?.collectionViewDidEndDecelerating(self)
        case .animation:
            log.append(.scrolling(.didEndScrollingAnimation))
            delegate?.collectionViewDidEndScrollingAnimation(self)
        case nil: break
        }
        tellNodes(.didStop)
    }

    /// Tells the nodes in the viewport.
    func tellNodes(_ event: ScrollingEvent) { display.ranges?.tell(event, in: self) }
}
