import CollectionElements
import CollectionLayouts
import SimulatedView

extension WatchedView {
    /// Does to the view what a user does. Main lane.
    package func perform(_ action: ViewAction) {
        switch action {
        case .scroll(let tenths):
            // Across too, for layouts that run that way.
            shown.scroll(by: Point(x: Double(tenths) / 10, y: Double(tenths) / 10))
        case .scrollToItem(let seed): scrollToItem(seed)
        case .moveToItem(let seed): scrollToItem(seed, animated: true)
        case .moveToTop: noteAnimation { shown.scrollToTop(animated: true) }
        case .drag(let turns, let tenths):
            shown.beginDragging()
            drag(turns, Double(tenths) / 10)
        case .resize(let width, let height, let isAnimated):
            shown.resize(
                to: Size(width: Double(width), height: Double(height)),
                animated: isAnimated
            )
        case .setLayout(let layout, let isAnimated):
            numberOfSwitches += 1
            shown.setCollectionViewLayout(
                layout.make(sizesItself: plan.sizesItself),
                animated: isAnimated
            ) {
                [weak self] in self?.numberOfSwitches -= 1
            }
        case .touch(let seed, let turns): touch(seed, turns)
        case .select(let seed):
            shown.allowsMultipleSelection = seed % 3 == 0
            guard let path = visiblePath(seed) else { return }
            do { try shown.selectItem(at: path) } catch { report("selecting \(path): \(error)") }
        case .idle(let count): shown.idleTick(preparing: count)
        case .changeWish(let seed):
            let cells = shown.visibleCells
            guard !cells.isEmpty else { return }
            let cell = cells[Int(seed % UInt64(cells.count))]
            (cell as? SizingCell)?.wish += 1
            shown.invalidatePreferredSize(of: cell)
        case .inset(let inset):
            shown.contentInset = EdgeInsets(top: Double(inset), bottom: Double(inset / 2))
        case .invalidate: shown.collectionViewLayout.invalidateLayout()
        case .range(let action): shown.rangeController.map(action.perform)
        case .fetch(let action): fetches?.perform(action)
        }
    }

    private func visiblePath(_ seed: UInt64) -> ItemPath? {
        let paths = shown.visibleCells.compactMap { $0.attributes?.indexPath }
        return paths.isEmpty ? nil : paths[Int(seed % UInt64(paths.count))]
    }

    private func scrollToItem(_ seed: UInt64, animated isAnimated: Bool = false) {
        let paths = shown.map.items.map(\.path)
        guard !paths.isEmpty else { return }
        let path = paths[Int(seed % UInt64(paths.count))]
        do {
            try noteAnimation {
                try shown.scrollToItem(at: path, at: [.top, .left], animated: isAnimated)
            }
        } catch {
            if hasRoom { report("scrolling to \(path): \(error)") }
        }
    }

    /// Has the watcher expect the end of what begins to move; without a clock it has ended by then.
    private func noteAnimation(_ body: () throws -> Void) rethrows {
        /// How many there were, of which one may be under way.
        func count() -> Int { watcher.animationEnds + (shown.isScrollAnimating ? 1 : 0) }
        let before = count()
        try body()
        guard count() > before else { return }
        mark("view animated")
        watcher.animationsBegan(count() - before)
    }

    /// Whether every element has a place: pages are what the insets leave.
    var hasRoom: Bool { !shown.bounds.inset(by: shown.adjustedContentInset).isEmpty }

    private func drag(_ turns: Int, _ distance: Double) {
        guard turns > 0 else {
            shown.decelerationRate = distance < 0 ? .fast : .normal
            // As far as ten times the last step, or five hundred times.
            let velocity = distance / 10
            return shown.endDragging(velocity: Point(x: velocity, y: velocity))
        }
        shown.drag(by: Point(x: distance, y: distance))
        lane?.enqueue { [weak self] in self?.drag(turns - 1, distance) }
    }

    private func touch(_ seed: UInt64, _ turns: Int) {
        guard let path = visiblePath(seed) else { return }
        shown.touchDown(at: path)
        liftTouch(after: turns)
    }

    private func liftTouch(after turns: Int) {
        guard turns > 0 else { return shown.touchUp() }
        lane?.enqueue { [weak self] in self?.liftTouch(after: turns - 1) }
    }
}
