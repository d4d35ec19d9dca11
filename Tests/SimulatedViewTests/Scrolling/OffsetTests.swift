import PipelineTestSupport
import SimulatedView
import Testing

/// A layout to try, and which way its content runs.
enum Course: String, CaseIterable, Sendable {
    case list, flow, composed, horizontalFlow, rightToLeftFlow, horizontalComposed

    var isHorizontal: Bool {
        self == .horizontalFlow || self == .rightToLeftFlow || self == .horizontalComposed
    }

    func bench(_ sections: [[String]]) throws -> Bench<CollectionLayout> {
        let size =
            isHorizontal ? Size(width: 200, height: 60) : Size(width: 120, height: 200)
        let bench = try Bench(sections, makeLayout(), size: size)
        bench.view.isRightToLeft = self == .rightToLeftFlow
        bench.load()
        return bench
    }

    private func makeLayout() -> CollectionLayout {
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

extension Bench {
    /// Scrolls away from the beginning.
    fileprivate func scroll(_ course: Course, by distance: Double) {
        switch course {
        case .list, .flow, .composed: view.scroll(by: distance)
        case .horizontalFlow, .horizontalComposed: view.scroll(by: Point(x: distance, y: 0))
        case .rightToLeftFlow: view.scroll(by: Point(x: -distance, y: 0))
        }
        settle()
    }

    /// Where an item is in the viewport.
    fileprivate func position(_ path: ItemPath) -> Point? {
        guard let frame = view.cellForItem(at: path)?.frame else { return nil }
        return Point(x: frame.minX - view.bounds.minX, y: frame.minY - view.bounds.minY)
    }

    /// The first item that is wholly visible.
    fileprivate var firstWhole: ItemPath? {
        view.visibleCells.first { cell in
            view.bounds.minX <= cell.frame.minX && cell.frame.maxX <= view.bounds.maxX
                && view.bounds.minY <= cell.frame.minY && cell.frame.maxY <= view.bounds.maxY
        }?.attributes?.indexPath
    }
}

@Suite("What stays visible")
struct OffsetTests {
    @Test(arguments: Course.allCases)
    func theFirstLoadShowsTheBeginning(_ course: Course) throws {
        let bench = try course.bench([texts(50)])
        #expect(bench.cell(0, 0) != nil)
        bench.check()
    }

    @Test(arguments: Course.allCases, [true, false])
    func whatIsInSightStaysWhereItIsWhenContentBeforeItChanges(
        _ course: Course,
        _ isAnimated: Bool
    ) throws {
        let bench = try course.bench([texts(40), texts(40, "b")])
        bench.scroll(course, by: 777)
        let path = try #require(bench.firstWhole)
        let position = try #require(bench.position(path))
        // Whole lines, so that the place across does not change.
        try bench.update(animated: isAnimated) { source, changes in
            source.sections[0].insert(contentsOf: texts(4, "new"), at: 0)
            source.sections.insert(texts(6, "section"), at: 0)
            changes.insertItems(at: (0..<4).map { ItemPath(1, $0) })
            changes.insertSections([0])
        }
        let shift = path.section == 0 ? 4 : 0
        let newPath = ItemPath(path.section + 1, path.item + shift)
        #expect(bench.position(newPath) == position)
        bench.check()
        try bench.update(animated: isAnimated) { source, changes in
            source.sections.removeFirst()
            source.sections[0].removeFirst(2)
            changes.deleteSections([0])
            changes.deleteItems(at: [ItemPath(1, 0), ItemPath(1, 1)])
        }
        #expect(bench.position(ItemPath(path.section, path.item + shift / 2)) == position)
        bench.check()
    }

    @Test(arguments: Course.allCases)
    func aBeginningThatIsInSightStaysInSight(_ course: Course) throws {
        let bench = try course.bench([texts(40)])
        for _ in 0..<3 {
            try bench.update { source, changes in
                source.sections[0].insert("new", at: 0)
                changes.insertItems(at: [ItemPath(0, 0)])
            }
            #expect((bench.cell(0, 0))?.text == "new")
            bench.check()
        }
    }

    @Test(arguments: Course.allCases)
    func contentThatBecomesShorterIsShownUpToItsEnd(_ course: Course) throws {
        let bench = try course.bench([texts(60)])
        bench.scroll(course, by: 1e6)
        #expect(bench.cell(0, 59) != nil)
        bench.check()
        try bench.update { source, changes in
            source.sections[0].removeLast(40)
            changes.deleteItems(at: (20..<60).map { ItemPath(0, $0) })
        }
        #expect(bench.cell(0, 19) != nil)
        bench.check()
        try bench.update { source, changes in
            source.sections[0].removeLast(19)
            changes.deleteItems(at: (1..<20).map { ItemPath(0, $0) })
        }
        #expect(bench.cell(0, 0) != nil)
        bench.check()
        try bench.update { source, changes in
            source.sections = []
            changes.deleteSections([0])
        }
        bench.check()
    }

    @Test(arguments: Course.allCases)
    func anItemInSightStaysInSightWhenTheViewportChanges(_ course: Course) throws {
        let bench = try course.bench([texts(80)])
        bench.scroll(course, by: 900)
        let sizes =
            course.isHorizontal
            ? [Size(width: 200, height: 130), Size(width: 80, height: 130)]
            : [Size(width: 300, height: 200), Size(width: 70, height: 90)]
        for (index, size) in sizes.enumerated() {
            let path = try #require(bench.firstWhole)
            bench.view.resize(to: size, animated: index == 1)
            bench.settle()
            #expect(bench.view.cellForItem(at: path) != nil, "\(size)")
            bench.check("\(size)")
        }
    }

    @Test func aLargerViewportAtTheEndShowsTheEndAlsoWhereTheLayoutDoesNotMind() throws {
        let bench = try Bench([texts(20)])
        bench.load()
        bench.view.scroll(by: 1000)
        bench.settle()
        bench.view.resize(to: Size(width: 100, height: 75))
        bench.settle()
        #expect(bench.view.contentOffset.y == 125)
        bench.check()
        bench.view.resize(to: Size(width: 100, height: 500))
        bench.settle()
        #expect(bench.view.contentOffset == .zero)
        bench.check()
    }

    @Test(arguments: Course.allCases)
    func anInsetBeforeTheBeginningIsShownWithItAndElsewhereMovesNothing(_ course: Course) throws {
        let bench = try course.bench([texts(50)])
        let insets = EdgeInsets(top: 7, left: 9, bottom: 5, right: 11)
        bench.view.contentInset = insets
        bench.settle()
        let start = bench.view.contentOffset
        switch course {
        case .list, .flow, .composed: #expect(start.y == -7)
        case .horizontalFlow, .horizontalComposed: #expect(start.x == -9)
        case .rightToLeftFlow: #expect(start.x == bench.view.contentSize.width + 11 - 200)
        }
        #expect(bench.cell(0, 0) != nil)
        bench.check()
        bench.scroll(course, by: 500)
        let path = try #require(bench.firstWhole)
        bench.view.safeAreaInsets.top = 3
        bench.settle()
        #expect(bench.view.cellForItem(at: path) != nil)
        bench.check()
    }

    @Test func reloadingKeepsTheOffsetAsFarAsTheContentReaches() throws {
        let bench = try Bench([texts(50)])
        bench.load()
        bench.view.scroll(by: 205)
        bench.settle()
        bench.adapter.reloadData()
        bench.settle()
        #expect(bench.view.contentOffset.y == 205)
        bench.source.sections = [texts(10)]
        bench.adapter.reloadData()
        bench.settle()
        #expect(bench.view.contentOffset.y == 70)
        bench.check()
    }

    @Test func theFirstRowThatIsWhollyInSightIsTheAnchor() throws {
        let bench = try Bench([texts(50)])
        bench.load()
        bench.view.scroll(by: 205)
        bench.settle()
        try bench.update { source, changes in
            // 20 is cut off above; 21 is the first whole one.
            source.sections[0].insert("new", at: 21)
            changes.insertItems(at: [ItemPath(0, 21)])
        }
        #expect(bench.rows == ["-5: new", "5: 21", "15: 22", "25: 23"])
        bench.check()
    }

    @Test func anAnchorThatMovesFarIsFollowed() throws {
        let bench = try Bench([texts(50)])
        bench.load()
        bench.view.scroll(by: 200)
        bench.settle()
        try bench.update { source, changes in
            source.sections[0].remove(at: 20)
            source.sections[0].insert("20", at: 40)
            changes.moveItem(at: ItemPath(0, 20), to: ItemPath(0, 40))
        }
        #expect(bench.rows == ["0: 20", "10: 41", "20: 42"])
        bench.check()
    }
}
