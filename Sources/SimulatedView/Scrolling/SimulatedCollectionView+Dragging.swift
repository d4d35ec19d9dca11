import CollectionLayouts

// A finger, from when it begins to drag until it lets go. All is said in terms of the content offset, which grows
// as the finger moves up or to the left, and in an inverted view as it moves the other way along that axis.

extension SimulatedCollectionView {
    /// Whether a finger drags the content.
    public var isDragging: Bool {
        requireLane("isDragging")
        return scrolling.isDragging
    }

    /// A finger begins to drag the content. What moves by itself stops where it is, a touch is over, and the view
    /// is busy until the content has come to rest again. Does nothing where a finger drags already.
    ///
    /// ```swift
    /// view.beginDragging()
    /// view.drag(by: Point(x: 0, y: 40))
    /// view.endDragging(velocity: Point(x: 0, y: 1.2))
    /// ```
    public func beginDragging() {
        requireLane("beginDragging()")
        if !scrolling.isDragging {
            cancelTouch()
            if scrolling.motion != nil { bringUpToDate() }
        }
        // Whoever was told of that may have begun it.
        if !scrolling.isDragging {
            guard mayBegin() else { return }
            // Without a gap where something moved by itself.
            beginBusy()
            if let motion = scrolling.dragBegan() { tellEnd(of: motion) }
        }
        guard scrolling.dragIsToBeTold() else { return }
        display.ranges?.scrolled()
        tell(.willBeginDragging, nodes: .willBeginDragging) {
            $0.collectionViewWillBeginDragging(self)
        }
    }

    /// The finger drags the viewport over the content by as many units right and down; it stops at the ends of the
    /// content. Begins a drag where none is under way.
    ///
    /// - Parameter distance: what the content offset grows by: against the way of the finger, and with it along
    ///   the axis on which the view is inverted.
    public func drag(by distance: Point) {
        requireLane("drag(by:)")
        guard isUsable(distance) else { return }
        beginDragging()
        bringUpToDate()
        // Whoever was told may have let go.
        guard scrolling.isDragging else { return }
        scrollWithin(by: distance)
    }

    /// The finger lets go of the content, which comes to rest where layout and delegate say: in the time of
    /// ``decelerationRate``, and at once in a view without a clock. Begins a drag where none is under way, and does
    /// nothing where the finger is letting go already.
    ///
    /// - Parameters:
    ///   - offset: where it would come to rest by itself; nil for as far as its velocity carries it.
    ///   - velocity: that of the content offset, in units a millisecond.
    public func endDragging(at offset: Point? = nil, velocity: Point) {
        requireLane("endDragging(at:velocity:)")
        guard isUsable(velocity), offset.map(isUsable) ?? true else { return }
        beginDragging()
        bringUpToDate()
        guard scrolling.dragEnds() else { return }
        let target = restingPlace(after: velocity, offset)
        scrolling.dragEnded()
        // Whoever waited for the finger looks where it all is.
        setNeedsLayout()
        let number = scrolling.number
        let willDecelerate = target != viewport.offset
        tell(.didEndDragging(willDecelerate: willDecelerate), nodes: .didEndDragging) {
            $0.collectionViewDidEndDragging(self, willDecelerate: willDecelerate)
        }
        // The delegate may have found something else for it to do.
        if willDecelerate, scrolling.mayMove, scrolling.number == number, mayBegin() {
            supply.fetcher?.flung(velocity)
            move(.deceleration, to: target)
        } else {
            tellRest()
        }
        endBusy()
    }

    /// Asks layout and delegate where content comes to rest that a finger lets go of.
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
        scrolling.tellingBegan()
        let wanted = delegate.collectionView(
            self,
            willEndDraggingWithVelocity: velocity,
            targetContentOffset: target
        )
        scrolling.tellingEnded()
        log.append(
            .scrolling(.willEndDragging(velocity: velocity, proposed: target, wanted))
        )
        return isUsable(wanted) ? viewport.legal(wanted) : target
    }
}
