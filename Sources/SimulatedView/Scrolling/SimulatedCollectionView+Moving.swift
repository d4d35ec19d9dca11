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

    /// Has the content move by itself, unless it is there. Nothing else moves it.
    ///
    /// - Parameter goal: the item to be shown, which may turn out to be elsewhere on the way.
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
        // Whoever was told may have stopped it.
        if scrolling.isMoving(number) { scheduleFrame(number, clock, lane) }
    }

    private func legal(_ offset: Point, in motion: ScrollMotion) -> Point {
        motion.staysWithin ? viewport.legal(offset) : offset
    }

    /// What is to be shown may lie elsewhere by now; after an update nobody knows which item it was.
    private func followGoal(_ number: Int) {
        bringUpToDate()
        // Whoever was told of that may have had something else move it.
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
        // Nodes hear first which part of them is to be seen.
        bringUpToDate()
        if scrolling.isMoving(number), let motion = scrolling.stopped(yields: false) {
            tellEnd(of: motion)
        }
    }

    /// What moves by itself stops where it is, since something else moves the content; what is said to move in
    /// answer is there at once.
    func stopMotion() {
        if scrolling.motion != nil { bringUpToDate() }
        guard let motion = scrolling.stopped(yields: true) else { return }
        tellEnd(of: motion)
        scrolling.yielded()
    }

    // MARK: Who is told

    /// What moved by itself does not any more.
    func tellEnd(of motion: ScrollMotion) {
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

    /// A finger let go, and nothing moves.
    func tellRest() {
        bringUpToDate()
        guard !scrolling.isDragging, scrolling.motion == nil else { return }
        display.ranges?.note(.didStop)
        display.ranges?.tellNoted(in: self)
    }

    /// Tells the delegate, and the nodes in the viewport. Who answers with something else to be told of has nodes
    /// told of that afterwards.
    func tell(
        _ call: ViewEvent.ScrollingCall,
        nodes event: ScrollingEvent? = nil,
        _ tellDelegate: (any CollectionViewDelegate) -> Void
    ) {
        log.append(.scrolling(call))
        if let event { display.ranges?.note(event) }
        scrolling.tellingBegan()
        if let delegate { tellDelegate(delegate) }
        scrolling.tellingEnded()
        display.ranges?.tellNoted(in: self)
    }

    /// Whether content may begin to be moved: reported where it may not, within so many answers of the delegate.
    func mayBegin() -> Bool {
        if !scrolling.isTooDeep { return true }
        report(
            ViewError(
                .reentrantLayout,
                "the delegate answers scrolling with scrolling, \(Self.roundLimit) times within one"
                    + " another; nothing begins to move any more"
            )
        )
        return false
    }
}
