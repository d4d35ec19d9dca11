import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Layouts and numbers that are wrong")
struct BadLayoutTests {
    private let odd = [
        -Double.infinity, -.greatestFiniteMagnitude, -1e18, -1, 1e18, .nan, .infinity,
    ]

    /// What the view reports when the layout's answers are altered like this.
    private func codes(
        _ bench: Bench<RowLayout>,
        _ altered: @escaping ([LayoutAttributes]) -> [LayoutAttributes]
    ) -> Set<ViewError.Code> {
        bench.layout.altered = altered
        bench.load()
        return Set(bench.view.errors.map(\.code))
    }

    /// Has everything be right again, and looks whether it is.
    private func recover(
        _ bench: Bench<RowLayout>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        bench.layout.altered = { $0 }
        bench.layout.alteredSize = { $0 }
        bench.view.clearErrors()
        bench.layout.invalidateLayout()
        bench.view.scrollToTop()
        bench.settle()
        bench.check(sourceLocation: sourceLocation)
    }

    @Test func aPathThatDoesNotExistIsReportedAndLeftOut() throws {
        let bench = try Bench([texts(3)])
        let frame = Rect(x: 0, y: 0, width: 10, height: 10)
        let codes = codes(bench) { answer in
            answer
                + [ItemPath(0, 3), ItemPath(1, 0), ItemPath(0, -1), ItemPath(.min, .max)].map {
                    LayoutAttributes(.cell($0), frame: frame)
                } + [LayoutAttributes(.header(1), frame: frame)]
        }
        #expect(codes == [.noSuchPath])
        #expect(
            bench.view.errors[0].message.hasPrefix(
                "UICollectionView received layout attributes for a cell with an index path that does not"
                    + " exist: "
            )
        )
        #expect(bench.view.visibleViews.count == 3)
        recover(bench)
    }

    @Test func aPlaceThatIsGivenTwiceIsReportedAndShownOnce() throws {
        let bench = try Bench([texts(3)])
        #expect(codes(bench) { $0 + $0 } == [.layoutAttributes])
        #expect(bench.view.visibleViews.count == 3 && bench.watcher.displayed.count == 3)
        recover(bench)
    }

    @Test func framesThatAreNoneAreReportedAndLeftOut() throws {
        for value in odd {
            let wrong = [
                Rect(x: value, y: 0, width: 10, height: 10),
                Rect(x: 0, y: value, width: 10, height: 10),
                Rect(x: 0, y: 0, width: value, height: 10),
                Rect(x: 0, y: 0, width: 10, height: value),
            ]
            for frame in wrong {
                let bench = try Bench([texts(3)])
                let codes = codes(bench) { answer in
                    answer.map { attributes in
                        var attributes = attributes
                        if attributes.indexPath.item == 1 { attributes.frame = frame }
                        return attributes
                    }
                }
                #expect(codes.subtracting([.layoutAttributes]) == [], "\(frame)")
                if !frame.minX.isFinite || !frame.minY.isFinite || !frame.size.isValid {
                    #expect(codes == [.layoutAttributes] && bench.cell(0, 1) == nil, "\(frame)")
                }
                #expect(bench.cell(0, 0) != nil && bench.cell(0, 2) != nil, "\(frame)")
                recover(bench)
            }
        }
    }

    @Test func aContentSizeThatIsNoneIsReportedAndTheLastOneStays() throws {
        for value in odd {
            let bench = try Bench([texts(5)])
            bench.load()
            bench.layout.alteredSize = { Size(width: $0.width, height: value) }
            bench.layout.invalidateLayout()
            bench.settle()
            if !Size(width: 1, height: value).isValid {
                #expect(bench.view.contentSize == Size(width: 100, height: 50), "\(value)")
                #expect(bench.view.errors.allSatisfy { $0.code == .layoutAttributes }, "\(value)")
                #expect(bench.view.errorCount >= 1, "\(value)")
            }
            #expect(bench.view.visibleCells.count == 3, "\(value)")
            recover(bench)
        }
    }

    @Test func anotherAnswerWithoutInvalidationIsReported() throws {
        let bench = try Bench([texts(3), texts(20)])
        bench.layout.headerHeight = 5
        bench.load()
        bench.view.scroll(by: 5)
        bench.settle()
        bench.layout.altered = { answer in
            answer.map { attributes in
                var attributes = attributes
                attributes.center.x += 1
                return attributes
            }
        }
        // Beyond the pages that are known.
        bench.view.scroll(by: 40)
        bench.settle()
        #expect(Set(bench.view.errors.map(\.code)) == [.changedAttributes])
        let messages = bench.view.errors.map(\.message)
        #expect(
            messages.contains {
                $0.hasPrefix(
                    "layout attributes for supplementary item at index path (1 - 0) changed from"
                )
                    && $0.hasSuffix("without invalidating the layout")
            }
        )
        recover(bench)
    }

    @Test func ofManyErrorsTheFirstAreKeptAndAllAreCounted() throws {
        let bench = try Bench([texts(3)])
        _ = codes(bench) { answer in
            answer
                + (3..<103).map { item in
                    LayoutAttributes(
                        .cell(ItemPath(0, item)),
                        frame: Rect(x: 0, y: 0, width: 1, height: 1)
                    )
                }
        }
        #expect(bench.view.errors.count == 64 && bench.view.errorCount == 100)
        #expect(bench.view.errors.first?.place == .cell(ItemPath(0, 3)))
        recover(bench)
        #expect(bench.view.errorCount == 0)
    }

    @Test func tooManyViewsAtOnceAreReportedAndTheFirstOnesShown() throws {
        let bench = try Bench([Array(repeating: "x", count: 10_300)])
        bench.layout.rowHeight = 0
        bench.load()
        #expect(bench.view.errors.map(\.code).first == .tooManyViews)
        #expect(bench.view.visibleViews.count == 10_000)
    }

    @Test func offsetsAndDistancesThatAreNoneAreReportedAndChangeNothing() throws {
        let bench = try Bench([texts(50)])
        bench.load()
        bench.view.scroll(by: 50)
        bench.settle()
        for value in [Double.nan, .infinity, -.infinity] {
            bench.view.contentOffset = Point(x: 0, y: value)
            bench.view.contentOffset = Point(x: value, y: 0)
            bench.view.scroll(by: value)
            bench.view.scroll(by: Point(x: value, y: 1))
            bench.view.endDragging(at: Point(x: value, y: 0), velocity: .zero)
            bench.view.endDragging(at: .zero, velocity: Point(x: 0, y: value))
            bench.view.resize(to: Size(width: value, height: 10))
            bench.view.resize(to: Size(width: 10, height: value))
        }
        bench.view.resize(to: Size(width: -1, height: 10))
        #expect(bench.view.bounds == Rect(x: 0, y: 50, width: 100, height: 30))
        #expect(bench.view.errorCount == 25)
        #expect(bench.view.errors.allSatisfy { $0.code == .notFinite })
        recover(bench)
    }

    @Test(arguments: [1e9, 1e15, 1e18, 1e300, Double.greatestFiniteMagnitude], [1.0, -1])
    func hugeOffsetsAndSizesAreLivedWith(_ size: Double, _ sign: Double) throws {
        for course in Course.allCases {
            let bench = try course.bench([texts(50)])
            bench.view.contentOffset = Point(x: sign * size, y: sign * size)
            bench.settle()
            bench.view.scroll(by: Point(x: sign * size, y: sign * size))
            bench.settle()
            bench.view.contentInset = EdgeInsets(
                top: sign * size,
                left: sign * size,
                bottom: sign * size,
                right: sign * size
            )
            bench.settle()
            bench.view.contentInset = .zero
            bench.settle()
            bench.view.scrollToTop()
            bench.settle()
            bench.view.clearErrors()
            #expect(bench.cell(0, 0) != nil, "\(course)")
            bench.check("\(course)")
        }
    }

    @Test func insetsAndScalesThatAreNoNumbersCountAsNone() throws {
        let bench = try Bench([texts(5)])
        bench.load()
        bench.view.contentInset = EdgeInsets(
            top: .nan,
            left: .infinity,
            bottom: 3,
            right: -.infinity
        )
        bench.view.safeAreaInsets.top = .nan
        bench.view.layoutMargins.left = .infinity
        #expect(bench.view.contentInset == EdgeInsets(top: 0, left: 0, bottom: 3, right: 0))
        #expect(bench.view.safeAreaInsets.top == 0 && bench.view.layoutMargins.left == 0)
        for scale in [0, -1, .nan, .infinity] {
            bench.view.displayScale = scale
            #expect(bench.view.displayScale == 1)
        }
        bench.settle()
        bench.check()
    }

    @Test func aViewMadeWithASizeThatIsNoneIsEmptyUntilItIsResized() throws {
        for size in [Size(width: .nan, height: 1), Size(width: -1, height: .infinity)] {
            let bench = try Bench([texts(5)], RowLayout(), size: size)
            bench.load()
            #expect(bench.view.size == .zero && bench.view.visibleViews.isEmpty)
            #expect(bench.view.errors.map(\.code) == [.notFinite])
            bench.view.clearErrors()
            bench.view.resize(to: Size(width: 100, height: 30))
            bench.layout.invalidateLayout()
            bench.settle()
            #expect(bench.rows.count == 3)
            bench.check()
        }
    }

    @Test func wishesThatAreNoSizesAreLivedWith() throws {
        for value in odd {
            for course in Course.allCases {
                let bench = try course.bench([texts(20)])
                (bench.layout as? ListLayout)?.estimatesHeights = true
                (bench.layout as? FlowLayout)?.estimatedItemSize = Size(width: 50, height: 50)
                bench.source.wishes = { _ in value }
                bench.adapter.reloadData()
                bench.settle()
                bench.source.wishes = { _ in nil }
                bench.adapter.reloadData()
                bench.settle()
                bench.view.clearErrors()
                bench.layout.invalidateLayout()
                bench.view.scrollToTop()
                bench.settle()
                bench.check("\(value) \(course)")
            }
            let bench = try Bench([texts(20)])
            bench.layout.takesWishes = true
            bench.source.wishes = { _ in value }
            bench.load()
            bench.source.wishes = { _ in nil }
            bench.layout.heights = [:]
            bench.adapter.reloadData()
            bench.settle()
            recover(bench)
        }
    }

    @Test func adjustmentsThatAreNoNumbersChangeNothing() throws {
        let bench = try Bench([texts(20)])
        bench.load()
        for value in odd {
            let context = LayoutInvalidationContext()
            context.contentOffsetAdjustment = Point(x: 0, y: value)
            context.contentSizeAdjustment = Size(width: value, height: value)
            context.invalidateItems(at: [ItemPath(7, 7), ItemPath(-1, .max)])
            bench.layout.invalidateLayout(with: context)
            #expect(bench.view.bounds.minY.isFinite && bench.view.contentSize.isValid)
            bench.settle()
        }
        recover(bench)
    }

    @Test func targetsThatAreNoPlacesAreNotGoneTo() throws {
        let bench = try Bench([texts(20)])
        bench.load()
        for value in odd {
            bench.layout.target = { _ in Point(x: value, y: value) }
            bench.watcher.target = { _ in Point(x: value, y: .nan) }
            try bench.update { _, changes in changes.reloadItems(at: [ItemPath(0, 0)]) }
            bench.view.endDragging(at: .zero, velocity: .zero)
            bench.settle()
            bench.view.setCollectionViewLayout(RowLayout(), animated: true)
            bench.view.resize(to: Size(width: 100, height: 31), animated: true)
            bench.view.resize(to: Size(width: 100, height: 30), animated: true)
        }
        recover(bench)
    }
}
