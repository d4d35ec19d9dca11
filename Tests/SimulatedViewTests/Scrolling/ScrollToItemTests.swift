import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Scrolling to an item")
struct ScrollToItemTests {
    @Test func everyPositionIsReachedAsFarAsTheContentGoes() throws {
        let bench = try Bench([texts(100)], height: 50)
        bench.load()
        bench.view.contentInset = EdgeInsets(top: 4, left: 0, bottom: 6, right: 0)
        let wanted: [(Int, ScrollPosition, Double)] = [
            (50, .top, 496), (50, .bottom, 466), (50, .centeredVertically, 481), (0, .top, -4),
            (0, .bottom, -4), (99, .top, 956), (99, .bottom, 956), (1, .centeredVertically, -4),
            (50, [.top, .left], 496), (50, .right, 496),
        ]
        for (item, position, offset) in wanted {
            try bench.view.scrollToItem(at: ItemPath(0, item), at: position)
            #expect(bench.view.contentOffset == Point(x: 0, y: offset), "\(item) \(position)")
            bench.settle()
            bench.check()
        }
    }

    @Test func positionsAcrossAreReachedToo() throws {
        let bench = try Bench([texts(100)], FlowLayout(), size: Size(width: 200, height: 50))
        bench.layout.scrollDirection = .horizontal
        bench.load()
        for (position, x) in [
            (ScrollPosition.left, 3000.0), (.right, 2850), (.centeredHorizontally, 2925),
        ] {
            try bench.view.scrollToItem(at: ItemPath(0, 50), at: position)
            #expect(bench.view.contentOffset == Point(x: x, y: 0))
            bench.settle()
            bench.check()
        }
    }

    @Test func twoPositionsOfOneAxisAreRefusedInTheKnownWords() throws {
        let bench = try Bench([texts(100)])
        bench.load()
        let text = "UICollectionViewScrollPosition: attempt to use a scroll position with multiple "
        let cases: [(ScrollPosition, String)] = [
            ([.top, .bottom], "vertical positioning styles"),
            ([.top, .centeredVertically, .left], "vertical positioning styles"),
            ([.left, .right], "horizontal positioning styles"),
        ]
        for (position, end) in cases {
            #expect {
                try bench.view.scrollToItem(at: ItemPath(0, 50), at: position)
            } throws: { error in
                (error as? ViewError)?.message == text + end
            }
        }
        #expect(bench.view.contentOffset == .zero)
    }

    @Test func whatDoesNotExistIsRejectedInTheKnownWords() throws {
        let bench = try Bench([texts(3), texts(100)])
        bench.load()
        for (path, text) in [
            (
                ItemPath(0, 3),
                "Attempted to scroll the collection view to an out-of-bounds item (3) when there are"
                    + " only 3 items in section 0."
            ), (ItemPath(0, -1), "out-of-bounds item (-1)"),
            (ItemPath(2, 0), "out-of-bounds section (2) when there are only 2 sections"),
            (ItemPath(.min, .max), "out-of-bounds section"),
        ] {
            #expect {
                try bench.view.scrollToItem(at: path)
            } throws: { error in
                let error = error as? ViewError
                return error?.code == .noSuchPath && error?.message.contains(text) == true
            }
        }
        #expect(bench.view.contentOffset == .zero)
    }

    @Test func theViewIsLoadedFirstWhereItWasNot() throws {
        let bench = try Bench([texts(100)])
        try bench.view.scrollToItem(at: ItemPath(0, 50))
        bench.settle()
        #expect(bench.rows == ["0: 50", "10: 51", "20: 52"])
        bench.check()
    }

    @Test(arguments: [3.0, 17, 44, 90], [true, false])
    func withEstimatedHeightsTheItemLandsExactly(_ estimate: Double, _ isList: Bool) throws {
        let layout: RowLayout = RowLayout()
        layout.rowHeight = estimate
        layout.takesWishes = true
        let list = ListLayout()
        list.rowHeight = estimate
        list.estimatesHeights = true
        let bench = try Bench<CollectionLayout>(
            [texts(300)],
            isList ? list : layout,
            size: Size(width: 100, height: 100)
        )
        bench.source.wishes = { text in Double((Int(text) ?? 0) * 37 % 41) + 4 }
        bench.load()
        for (item, position) in [
            (150, ScrollPosition.top), (20, .top), (250, .bottom), (100, .centeredVertically),
            (299, .bottom), (0, .top), (160, .bottom), (161, .top),
        ] {
            try bench.view.scrollToItem(at: ItemPath(0, item), at: position)
            bench.settle()
            let frame = try #require(bench.cell(0, item)?.frame)
            let bounds = bench.view.bounds
            let distance =
                switch position {
                case .top: frame.minY - bounds.minY
                case .bottom: frame.maxY - bounds.maxY
                default: frame.center.y - bounds.center.y
                }
            #expect(abs(distance) < 0.01, "\(item)")
            #expect(frame.size.height == bench.source.wishes("\(item)"))
            bench.check("\(item)")
        }
    }
}
