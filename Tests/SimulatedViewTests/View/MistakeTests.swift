import PipelineTestSupport
import SimulatedView
import Testing

private func cell(_ item: Int) -> LayoutPlace { .cell(ItemPath(0, item)) }

private func dequeue(_ view: SimulatedCollectionView, _ item: Int, _ identifier: String = "row")
    throws -> CollectionViewCell
{
    let path = ItemPath(0, item)
    let cell = try view.dequeueReusableCell(withReuseIdentifier: identifier, for: path)
    (cell as? TextCell)?.text = "\(item)"
    return cell
}

/// A mistake of a layout, a data source or a program, and the errors that the view reports: each
/// with its place, and in UIKit's words if there are any.
private struct Mistake: CustomTestStringConvertible, Sendable {
    typealias Found = (code: ViewError.Code, place: LayoutPlace?, text: String)
    let name: String
    let found: [Found]
    /// The rows that are shown nevertheless.
    let rows: [String]
    let make: @Sendable (Bench<RowLayout>) throws -> Void

    init(
        _ name: String,
        _ found: Found...,
        rows: [String] = ["0: 0", "10: 1", "20: 2"],
        make: @escaping @Sendable (Bench<RowLayout>) throws -> Void
    ) {
        (self.name, self.found, self.rows, self.make) = (name, found, rows, make)
    }

    var testDescription: String { name }

    private static let unplaced = "UICollectionView received layout attributes for a"
    private static let nowhere = "with an index path that does not exist: "
    private static let notDequeued =
        "the view returned from -collectionView:cellForItemAtIndexPath:"
    private static let frame = Rect(x: 1, y: 2, width: 3, height: 4)

    /// Makes the layout return another frame for the second row.
    private static func moved(_ frame: Rect) -> @Sendable (Bench<RowLayout>) -> Void {
        { bench in
            bench.layout.altered = { answer in
                answer.map { $0.place == cell(1) ? LayoutAttributes(cell(1), frame: frame) : $0 }
            }
        }
    }

    private static func adding(_ place: LayoutPlace) -> @Sendable (Bench<RowLayout>) -> Void {
        { $0.layout.altered = { $0 + [LayoutAttributes(place, frame: frame)] } }
    }

    static let ofLayouts: [Mistake] = {
        let kind = SupplementaryKind(rawValue: "backdrop")
        let (decoration, lost) = (
            LayoutPlace(.decoration(kind), ItemPath(0, 0)),
            LayoutPlace(.decoration(kind), ItemPath(-1, 0))
        )
        let places: [(LayoutPlace, String)] = [
            (cell(3), "\(unplaced) cell \(nowhere)0 - 3"),
            (.header(1), "\(unplaced) supplementary view \(nowhere)header 1 - 0"),
            (lost, "\(unplaced) decoration view \(nowhere)decoration backdrop -1 - 0"),
            (.cell(ItemPath(1, 0)), ""), (.cell(ItemPath(0, -1)), ""),
            (.cell(ItemPath(.min, .max)), ""),
        ]
        let noSize = "expected a finite content size, found 100.0 × -1.0; it stays 0.0 × 0.0"
        var all = places.map { place, text in
            Mistake("no such \(place)", (.noSuchPath, place, text), make: adding(place))
        }
        all += [
            Mistake(
                "an item twice",
                (.layoutAttributes, cell(0), "the layout returned 0 - 0 twice"),
                make: adding(cell(0))
            ),
            Mistake("a decoration of no class", (.notRegistered, decoration, "backdrop")) {
                $0.layout.decorationKind = kind
            },
            Mistake("a content size that is none", (.layoutAttributes, nil, noSize)) {
                $0.layout.alteredSize = { Size(width: $0.width, height: -1) }
            },
        ]
        let noFrame: Found = (
            .layoutAttributes, cell(1), "expected a finite frame for 0 - 1, found"
        )
        for value in [Double.nan, .infinity, -.infinity] {
            for frame in [
                Rect(x: value, y: 0, width: 9, height: 9),
                Rect(x: 0, y: value, width: 9, height: 9),
                Rect(x: 0, y: 0, width: value, height: 9),
                Rect(x: 0, y: 0, width: 9, height: value),
                Rect(x: 0, y: 0, width: -1, height: 9), Rect(x: 0, y: 0, width: 9, height: -4),
            ] {
                let rows = ["0: 0", "20: 2"]
                all.append(Mistake("\(frame)", noFrame, rows: rows, make: moved(frame)))
            }
        }
        return all
    }()

    private static let ofNoClass =
        "could not dequeue a view of kind: UICollectionElementKindCell with identifier x - must"
        + " register a nib or a class for the identifier or connect a prototype cell in a storyboard"
    private static let noHeader =
        "the layout placed a supplementary view of kind header at 0 - 0, but ContextSource has none"
    private static let notGivenBack = "Expected dequeued view to be returned to the collection view"

    static let ofDataSources: [Mistake] = [
        Mistake(
            "a cell that was not dequeued",
            (.notDequeued, cell(1), "\(notDequeued) (TextCell) was not retrieved by calling"),
            rows: ["0: 0", "20: 2"]
        ) { $0.source.madeCell = { $1.item == 1 ? TextCell() : try dequeue($0, $1.item) } },
        Mistake(
            "a cell that was dequeued for another item",
            (.notDequeued, cell(1), notDequeued),
            (.notReturned, cell(5), notGivenBack),
            rows: ["0: 0", "20: 2"]
        ) { $0.source.madeCell = { try dequeue($0, $1.item == 1 ? 5 : $1.item) } },
        Mistake(
            "a cell that is shown already",
            (.notDequeued, cell(1), ""),
            (.notDequeued, cell(2), ""),
            rows: ["0: 0"]
        ) { bench in
            var first: CollectionViewCell?
            bench.source.madeCell = { view, path in
                if let first { return first }
                first = try dequeue(view, path.item)
                return first ?? TextCell()
            }
        },
        Mistake(
            "cells that were dequeued and not given back",
            (.notReturned, cell(2), "the view dequeued for 0 - 2 was not"),
            (.notReturned, cell(1), "the view dequeued for 0 - 1 was not")
        ) { bench in
            bench.source.madeCell = { view, path in
                if path.item == 0 { for item in [2, 1] { _ = try dequeue(view, item) } }
                return try dequeue(view, path.item)
            }
        },
        Mistake(
            "no cell",
            (.noView, cell(0), "no view for 0 - 0: "),
            (.identifier, .header(7), "its own"),
            rows: ["20: 2"]
        ) { bench in
            bench.source.madeCell = { view, path in
                if path.item == 0 { throw TestFailure() }
                if path.item == 1 { throw ViewError(.identifier, "its own", at: .header(7)) }
                return try dequeue(view, path.item)
            }
        },
        Mistake(
            "a class that nobody registered",
            (.notRegistered, cell(1), ofNoClass),
            rows: ["0: 0", "20: 2"]
        ) { $0.source.madeCell = { try dequeue($0, $1.item, $1.item == 1 ? "x" : "row") } },
        Mistake("no header", (.noView, .header(0), noHeader), rows: ["5: 0", "15: 1", "25: 2"]) {
            bench in
            let source = ContextSource(bench.source)
            bench.adapter.dataSource = source
            bench.layout.headerHeight = 5
            bench.layout.onPrepare = { _ in withExtendedLifetime(source) {} }
        },
        Mistake(
            "nobody to ask",
            (.noDataSource, cell(3), "UICollectionView dataSource is not set"),
            (.noDataSource, cell(4), ""),
            (.noDataSource, cell(5), ""),
            rows: []
        ) { bench in
            withExtendedLifetime(RowSource([texts(9)])) { other in
                bench.adapter.dataSource = other
                bench.settle()
            }
            bench.view.scroll(by: 30)
        },
    ]
}

@Suite("Mistakes that a view reports and survives")
struct MistakeTests {
    /// The errors, the log and the calls of the delegate have the same order; after the correction
    /// everything is shown.
    @Test(arguments: Mistake.ofLayouts + Mistake.ofDataSources)
    private func eachMistakeIsReportedWithItsPlaceAndTheRestIsShown(_ mistake: Mistake) throws {
        let bench = try Bench([texts(3)])
        try mistake.make(bench)
        bench.view.layoutIfNeeded()
        let errors = bench.view.errors
        #expect(errors.map(\.code) == mistake.found.map(\.code))
        #expect(errors.map(\.place) == mistake.found.map(\.place))
        for (error, found) in zip(errors, mistake.found) {
            #expect(found.text.isEmpty || error.message.contains(found.text), "\(error)")
        }
        let isScrolled = bench.view.contentOffset != .zero
        if !isScrolled { #expect(bench.rows == mistake.rows) }
        let logged = bench.view.eventLog.compactMap { event -> ViewError? in
            if case .error(let error) = event { error } else { nil }
        }
        #expect(
            logged == errors && bench.watcher.errors == errors
                && bench.view.errorCount == errors.count
        )
        bench.layout.altered = { $0 }
        bench.layout.alteredSize = { $0 }
        bench.layout.decorationKind = nil
        bench.layout.headerHeight = 0
        bench.source.madeCell = nil
        bench.adapter.dataSource = bench.source
        bench.view.clearErrors()
        bench.view.scrollToTop()
        bench.settle()
        #expect(bench.rows == ["0: 0", "10: 1", "20: 2"] && bench.view.errors == [])
        #expect(bench.view.mistakes == [] && bench.view.errorCount == 0)
    }

    @Test func newAttributesWithoutInvalidationAreReported() throws {
        let bench = try Bench([texts(9), texts(9)])
        bench.layout.headerHeight = 5
        bench.load()
        bench.layout.altered = { answer in
            answer.map { attributes in
                var attributes = attributes
                if attributes.indexPath == ItemPath(0, 0) { attributes.center.x += 1 }
                return attributes
            }
        }
        // Scrolls beyond the known pages.
        bench.view.scroll(by: 10)
        bench.settle()
        func text(_ what: String, _ y: Int, _ height: Int) -> String {
            "layout attributes for \(what) at index path (0 - 0) changed from (0.0, \(y).0) 100.0 ×"
                + " \(height).0 to (1.0, \(y).0) 100.0 × \(height).0 without invalidating the layout"
        }
        #expect(
            bench.view.errors == [
                ViewError(.changedAttributes, text("item", 5, 10), at: cell(0)),
                ViewError(.changedAttributes, text("supplementary item", 0, 5), at: .header(0)),
            ]
        )
        bench.layout.invalidateLayout()
        bench.view.clearErrors()
        bench.settle()
        bench.check()
    }

    @Test func theFirstErrorsAreKeptAndAllAreCounted() throws {
        let bench = try Bench([texts(3)])
        bench.layout.altered = { answer in
            answer
                + (3..<103).map {
                    LayoutAttributes(cell($0), frame: Rect(x: 0, y: 0, width: 1, height: 1))
                }
        }
        bench.load()
        #expect(bench.view.errors.count == 64 && bench.view.errorCount == 100)
        #expect(bench.view.errors.first?.place == cell(3))
        bench.view.clearErrors()
        #expect(bench.view.errors == [] && bench.view.errorCount == 0)
        let crowd = try Bench([Array(repeating: "x", count: 10_300)])
        crowd.layout.rowHeight = 0
        crowd.load()
        #expect(Set(crowd.view.errors.map(\.code)) == [.tooManyViews])
        #expect(crowd.view.errors[0].message.hasPrefix("the layout placed 10300 views"))
        #expect(crowd.view.visibleViews.count == 10_000)
    }

    // MARK: Reconfiguring

    private enum Reconfiguring: String, CaseIterable {
        case inside, another, otherIdentifier, otherPath, thrown
    }

    /// A single reconfiguration throws the error, and the later cells are not requested; in a batch
    /// the error is reported, and the later cells are reconfigured. The cell stays unchanged.
    @Test(arguments: Reconfiguring.allCases, [false, true])
    private func aCellThatCannotBeReconfiguredStaysAsItWas(
        _ mistake: Reconfiguring,
        _ isInBatch: Bool
    ) throws {
        let bench = try Bench([texts(3)])
        try bench.view.register(TextCell.self, forCellWithReuseIdentifier: "other")
        bench.load()
        let cells = bench.view.visibleCells
        var errors: [ViewError] = []
        var requested: [Int] = []
        bench.source.madeCell = { [bench] view, path in
            requested.append(path.item)
            guard path.item == 1 else { return try dequeue(view, path.item) }
            switch mistake {
            case .another: return TextCell()
            case .otherIdentifier: return try dequeue(view, 1, "other")
            case .otherPath: return try dequeue(view, 2)
            case .thrown: throw TestFailure()
            case .inside:
                do throws(ViewError) {
                    try bench.adapter.reconfigureItems(at: [ItemPath(0, 2)])
                } catch { errors.append(error) }
                return try dequeue(view, 1)
            }
        }
        let paths = (0..<3).map { ItemPath(0, $0) }
        if isInBatch {
            try bench.update { _, changes in changes.reconfigureItems(at: paths) }
            errors += bench.view.errors
            let done = mistake == .inside ? [0, 1, 2] : [0, 2]
            #expect(bench.log("refilled") == done.map { "refilled 0 - \($0)" })
        } else {
            do throws(ViewError) {
                try bench.adapter.reconfigureItems(at: paths)
            } catch { errors.append(error) }
        }
        #expect(requested == (isInBatch || mistake == .inside ? [0, 1, 2] : [0, 1]))
        let texts: [Reconfiguring: String] = [
            .inside:
                "Attempted to reconfigure a cell while already in the process of reconfiguring",
            .another: "UICollectionView dataSource returned a different cell from",
            .otherIdentifier: "Attempted to dequeue a cell for a different registration or reuse"
                + " identifier than the existing cell when reconfiguring: other instead of row",
            .otherPath:
                "Attempted to dequeue a cell at a different index path (0 - 2) than the cell"
                + " being reconfigured (0 - 1)",
            .thrown: "no view for 0 - 1",
        ]
        let code: ViewError.Code = mistake == .thrown ? .noView : .reconfiguration
        #expect(errors.map(\.code) == [code])
        #expect(errors.first?.message.hasPrefix(texts[mistake] ?? "-") == true, "\(errors)")
        let place = mistake == .inside || mistake == .otherPath ? cell(2) : cell(1)
        #expect(errors.first?.place == place)
        #expect(zip(bench.view.visibleCells, cells).allSatisfy { $0 === $1 })
        bench.source.madeCell = nil
        bench.view.clearErrors()
        try bench.adapter.reconfigureItems(at: paths)
        bench.settle()
        bench.check()
    }

    // MARK: Identifiers and numbers

    @Test func anEmptyIdentifierOrKindIsRejectedInUIKitsWords() throws {
        let view = try Bench([[]]).view
        let (path, none) = (ItemPath(0, 0), SupplementaryKind(rawValue: ""))
        func register(_ kind: SupplementaryKind, _ identifier: String) throws {
            try view.register(
                TextHeader.self,
                forSupplementaryViewOfKind: kind,
                withReuseIdentifier: identifier
            )
        }
        func dequeue(_ kind: SupplementaryKind, _ identifier: String) throws {
            _ = try view.dequeueReusableSupplementaryView(
                ofKind: kind,
                withReuseIdentifier: identifier,
                for: path
            )
        }
        let valid = "must pass a valid reuse identifier to -[UICollectionView"
        let calls: [(text: String, call: () throws -> Void)] = [
            (valid, { try register(.header, "") }), (valid, { try dequeue(.header, "") }),
            ("valid element kind", { try register(none, "x") }),
            ("valid element kind", { try dequeue(none, "x") }),
            (valid, { try view.register(TextCell.self, forCellWithReuseIdentifier: "") }),
            (valid, { _ = try view.dequeueReusableCell(withReuseIdentifier: "", for: path) }),
            ("of kind: header with identifier x", { try dequeue(.header, "x") }),
        ]
        for (text, call) in calls {
            do {
                try call()
                Issue.record("\(text) was accepted")
            } catch {
                let error = error as? ViewError
                let code: ViewError.Code = text.contains("kind: ") ? .notRegistered : .identifier
                #expect(error?.code == code && error?.message.contains(text) == true)
            }
        }
    }

    /// An invalid result of a layout or a delegate is ignored.
    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func nonFiniteNumbersAreReportedOrIgnored(_ value: Double) throws {
        let bench = try Bench([texts(50)], SheetLayout())
        let view = bench.view
        bench.load()
        view.scroll(by: Point(x: 20, y: 50))
        bench.settle()
        let (along, across) = (Point(x: 1, y: value), Point(x: value, y: 1))
        let calls: [(Point, () -> Void)] = [
            (along, { view.contentOffset = along }), (across, { view.contentOffset = across }),
            (across, { view.setContentOffset(across, animated: true) }),
            (Point(x: 0, y: value), { view.scroll(by: value) }),
            (across, { view.scroll(by: across) }), (across, { view.drag(by: across) }),
            (across, { view.endDragging(at: across, velocity: .zero) }),
            (along, { view.endDragging(velocity: along) }),
        ]
        var expected: [String] = []
        for (point, call) in calls {
            call()
            expected.append("expected finite numbers, found (\(point.x), \(point.y))")
        }
        for (width, height) in [(value, 10.0), (10, value), (-1, 10)] {
            let size = Size(width: width, height: height)
            view.resize(to: size)
            expected.append("expected a size, found \(width) × \(height)")
            let made = SimulatedCollectionView(size: size)
            #expect(made.size == .zero && made.errors == Array(view.errors.suffix(1)))
        }
        #expect(view.errors.map(\.message) == expected && bench.lane.count == 0)
        #expect(view.errors.allSatisfy { $0.code == .notFinite })
        view.contentInset = EdgeInsets(top: value, left: value, bottom: value, right: value)
        (view.safeAreaInsets.top, view.layoutMargins.left) = (value, value)
        let insets = [view.contentInset, view.safeAreaInsets, view.layoutMargins]
        #expect(insets == [.zero, .zero, .zero])
        for scale in [value, 0, -1] {
            view.displayScale = scale
            #expect(view.displayScale == 1)
        }
        let context = LayoutInvalidationContext()
        context.contentOffsetAdjustment = along
        bench.layout.invalidateLayout(with: context)
        bench.settle()
        #expect(view.bounds == Rect(x: 20, y: 50, width: 100, height: 30) && !view.isDragging)
        bench.layout.target = { _ in across }
        view.endDragging(at: Point(x: 20, y: 47), velocity: .zero)
        for isDelegates in [false, true] {
            if isDelegates { bench.layout.target = { $0 } }
            bench.watcher.target = { isDelegates ? along : $0 }
            try bench.update { _, changes in changes.reloadItems(at: [ItemPath(0, 49)]) }
            #expect(view.contentOffset == Point(x: 20, y: 47))
        }
    }

    @Test(arguments: [-5, Double.nan, .infinity])
    func errorsOfTheLayoutAreReportedByTheViewOnce(_ height: Double) throws {
        let bench = try Bench([["a", "b"]], FlowLayout())
        let layout = bench.view.collectionViewLayout as? FlowLayout
        layout?.headerReferenceSize = Size(width: 10, height: height)
        bench.load()
        for _ in 0..<2 {
            bench.view.setNeedsLayout()
            bench.view.layoutIfNeeded()
        }
        let found = bench.view.errors.filter { $0.code == .layout }
        #expect(found.count == 1 && bench.view.collectionViewLayout.errors.count == 1)
        bench.view.clearErrors()
    }
}
