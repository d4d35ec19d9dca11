import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

/// All that may be done to a view that scrolls, in every order, beside a model.
@Suite("Walks through scrolling", .endsHangs)
struct ScrollWalkTests {
    private struct Look: Equatable {
        var isDragging = false
        var isDecelerating = false
        var isScrollAnimating = false
        var isBusy = false
        var waiting = 0
        var rows = 0
    }

    private func run(_ input: ScrollInput, _ list: ScrollingList, _ clock: ManualClock) {
        if input == .update {
            return list.list.update { rows, changes in
                changes.insertItems(at: [ItemPath(0, rows.rows.count)])
                rows.rows.append("row \(rows.rows.count)")
            }
        }
        list.onMain { view in
            switch input {
            case .begin: view.beginDragging()
            case .drag: view.drag(by: Point(x: 0, y: 15))
            case .letGo: view.endDragging(velocity: .zero)
            case .fling: view.endDragging(velocity: Point(x: 0, y: 1))
            case .flingBack: view.endDragging(velocity: Point(x: 0, y: -2))
            case .set: view.setContentOffset(Point(x: 0, y: 560))
            case .animate: view.setContentOffset(Point(x: 0, y: 300), animated: true)
            case .animateBack: view.setContentOffset(Point(x: 0, y: 40), animated: true)
            case .toItem: try? view.scrollToItem(at: ItemPath(0, 40), animated: true)
            case .toTop: view.scrollToTop(animated: true)
            case .resize:
                view.resize(to: Size(width: 100, height: view.size.height == 30 ? 50 : 30))
            case .layout: view.setCollectionViewLayout(ListLayout())
            case .frames: clock.frames(9)
            case .update: break
            }
        }
    }

    /// - Returns: what differs after an input.
    private func fault(_ list: ScrollingList, _ model: ScrollModel) -> String? {
        nonisolated(unsafe) var look = Look()
        list.onMain { view in
            look = Look(
                isDragging: view.isDragging,
                isDecelerating: view.isDecelerating,
                isScrollAnimating: view.isScrollAnimating,
                isBusy: view.isBusy,
                waiting: view.numberOfWaitingUpdates,
                rows: view.map.numberOfItems
            )
            #expect(view.errors.isEmpty)
        }
        let expected = Look(
            isDragging: model.isDragging,
            isDecelerating: model.isFlung,
            isScrollAnimating: model.isAnimated,
            isBusy: model.isBusy,
            waiting: model.waiting,
            rows: model.numberOfRows
        )
        if look != expected { return "\(look), not \(expected)" }
        let y = list.y
        return y < model.low || y > model.high ? "\(y), not \(model.low)...\(model.high)" : nil
    }

    private func fault(_ inputs: [ScrollInput]) -> String? {
        let clock = ManualClock()
        let list = ScrollingList(60, clock: clock)
        list.onMain { $0.decelerationRate = .fast }
        var model = ScrollModel()
        for (index, input) in inputs.enumerated() {
            let before = list.y
            run(input, list, clock)
            let told = list.news()
            let expected = model.take(input, y: list.y, before: before)
            let name = inputs.prefix(index + 1).map(\.rawValue)
            if told != expected { return "\(name): \(told), not \(expected)" }
            if let fault = fault(list, model) { return "\(name): \(fault)" }
        }
        return nil
    }

    @Test(arguments: ScrollInput.allCases)
    func whateverFollowsOnWhateverIsAsTheModelHasIt(_ first: ScrollInput) {
        var sampling = Sampling()
        for second in ScrollInput.allCases {
            for third in ScrollInput.allCases {
                guard sampling.takesNext() else { continue }
                for fourth in Effort.isFull ? ScrollInput.allCases : [.frames] {
                    // At last it comes to rest, and what waited is shown.
                    let inputs = [first, second, third, fourth, .letGo, .frames, .frames]
                    if let fault = fault(inputs) {
                        Issue.record("\(fault)")
                        return
                    }
                }
            }
        }
    }

    @Test(arguments: 0..<Effort.number(200, usually: 20))
    func longWalksAreAsTheModelHasThem(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let inputs = (0..<40).map { _ in
            ScrollInput.allCases[random.next(below: ScrollInput.allCases.count)]
        }
        if let fault = fault(inputs) { Issue.record("\(fault)") }
    }
}
