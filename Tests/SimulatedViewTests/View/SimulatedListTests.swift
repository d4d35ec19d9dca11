import PipelineTestSupport
import SimulatedView
import Testing

typealias TextController = DataController<TextDataSource>

/// A simulated view over a loaded controller; rows are as high as the text has tens of characters.
struct List: Sendable {
    let view: SimulatedCollectionView
    let controller: TextController
    let nodes: NodeBook

    init(
        _ substrate: Substrate,
        _ sections: [TextDataSource.Section],
        height: Double = 5,
        logCapacity: Int = 1024
    ) async throws {
        let stage = substrate.makeStage()
        nodes = NodeBook(stage)
        view = SimulatedCollectionView(
            size: Size(width: 10, height: height),
            logCapacity: logCapacity
        )
        controller = stage.makeController(TextDataSource(sections, nodes: nodes), view: view)
        try await controller.reloadData()
    }

    /// Runs `body` on the main lane.
    func onMain<Result: Sendable, Failure: Error>(
        _ body:
            @escaping @Sendable (SimulatedCollectionView, TextController) throws(Failure)
            -> Result
    ) async throws(Failure) -> Result {
        let view = view
        return try await PipelineTestSupport.onMain(controller) { controller throws(Failure) in
            try body(view, controller)
        }
    }

    /// The visible rows as text, with the distance of each from the top.
    func rows() async -> [String] {
        await onMain { view, _ in
            view.layoutIfNeeded()
            return view.visibleViews.sorted { $0.frame.minY < $1.frame.minY }.map { row in
                let text = (row.element?.nodeIfAllocated as? TextNode)?.text ?? "-"
                let y = row.frame.minY - view.bounds.minY
                return "\(y == y.rounded() ? "\(Int(y))" : "\(y)"): \(text)"
            }
        }
    }

    func log() async -> [String] { await onMain { view, _ in view.eventLog.map(\.description) } }

    /// What happened to updates and to what is visible, without the view's own proceedings.
    func story() async -> [String] {
        await onMain { view, _ in
            view.layoutIfNeeded()
            return view.eventLog.filter(\.isPartOfTheStory).map(\.description)
        }
    }

    func clearLog() async { await onMain { view, _ in view.clearEventLog() } }

    func scroll(by distance: Double) async {
        await onMain { view, _ in view.scroll(by: distance) }
    }
}

extension ViewEvent {
    var isPartOfTheStory: Bool {
        switch self {
        case .received, .applied, .reloaded, .refused, .dropped, .finished, .becameBusy,
            .becameIdle, .willDisplay, .didEndDisplaying, .error:
            true
        default: false
        }
    }
}

/// Ten one-line items, named after their numbers.
let tenItems: [TextDataSource.Section] = [.init((0..<10).map { "item \($0)" })]

@Suite("The rows of a simulated list", .endsHangs)
struct SimulatedListTests {
    @Test(arguments: Substrate.allCases)
    func headersItemsAndFootersStackFromTheTop(_ substrate: Substrate) async throws {
        let list = try await List(
            substrate,
            [
                .init(["a", "fifteen letters"], headers: ["H"], footers: ["F"]),
                .init([]),
                .init(["c", "d"], headers: ["H2"]),
            ],
            height: 6
        )
        #expect(await list.rows() == ["0: H", "1: a", "2: fifteen letters", "4: F", "5: H2"])
        let positions = await list.onMain { view, _ in
            view.visibleViews.compactMap { $0.attributes?.place.description }
        }
        #expect(positions == ["0 - 0", "0 - 1", "footer 0 - 0", "header 0 - 0", "header 2 - 0"])
        await list.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func theElementOfEveryPlaceOnTheLayoutIsFoundInTheMap(_ substrate: Substrate) async throws {
        let list = try await List(
            substrate,
            [.init(["a"], headers: ["H"]), .init(["b", "c"], headers: ["H2"], footers: ["F"])],
            height: 9
        )
        await list.onMain { view, _ in
            view.layoutIfNeeded()
            for shown in view.visibleViews {
                guard let place = shown.attributes?.place, let element = shown.element else {
                    Issue.record("\(shown) shows nothing")
                    continue
                }
                #expect(view.map.element(at: place) === element, "\(place)")
                #expect(view.map.content(at: place) == shown.content, "\(place)")
                #expect(view.map.place(of: element).map { LayoutPlace($0) } == place)
                #expect(place.elementPlace == view.map.place(of: element))
            }
            #expect(view.visibleViews.count == 6)
            let decoration = LayoutPlace(.decoration(.header), ItemPath(section: 0, item: 0))
            #expect(decoration.elementPlace == nil)
            #expect(view.map.element(at: decoration) == nil)
            #expect(view.map.content(at: LayoutPlace.header(2)) == nil)
        }
        await list.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func scrollingMovesRowByRowAndStopsAtBothEnds(_ substrate: Substrate) async throws {
        let list = try await List(substrate, tenItems, height: 2)
        await list.scroll(by: 1.5)
        #expect(await list.rows() == ["-0.5: item 1", "0.5: item 2", "1.5: item 3"])
        await list.scroll(by: 3.5)
        #expect(await list.rows() == ["0: item 5", "1: item 6"])
        await list.scroll(by: -4)
        #expect(await list.rows() == ["0: item 1", "1: item 2"])
        await list.scroll(by: -1000)
        #expect(await list.rows() == ["0: item 0", "1: item 1"])
        await list.scroll(by: 1000)
        #expect(await list.rows() == ["0: item 8", "1: item 9"])
        await list.scroll(by: .nan)
        await list.scroll(by: .infinity)
        await list.onMain { view, _ in view.scrollToTop() }
        #expect(await list.rows() == ["0: item 0", "1: item 1"])
        await list.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func theFirstVisiblePathIsThatOfTheFirstItem(_ substrate: Substrate) async throws {
        let list = try await List(substrate, [.init(["a", "b"], headers: ["H"])], height: 1)
        #expect(await list.onMain { view, _ in view.firstVisiblePath } == nil)
        await list.scroll(by: 0.5)
        #expect(await list.onMain { view, _ in view.firstVisiblePath } == ItemPath(0, 0))
        await list.scroll(by: 1.5)
        #expect(await list.onMain { view, _ in view.firstVisiblePath } == ItemPath(0, 1))
        await list.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func anEmptyListHasNoRows(_ substrate: Substrate) async throws {
        let list = try await List(substrate, [.init([]), .init([])])
        #expect(await list.rows() == [])
        await list.scroll(by: 3)
        #expect(await list.onMain { view, _ in view.firstVisiblePath } == nil)
        try await list.controller.performBatchUpdates { source, changes in
            source.sections[1].items = ["a"]
            changes.insertItems(at: [ItemPath(1, 0)])
        }
        #expect(await list.rows() == ["0: a"])
        await list.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func rowsWithoutHeightDoNotHang(_ substrate: Substrate) async throws {
        let list = try await List(substrate, [.init([])])
        list.nodes.onMeasure { _, _ in .zero }
        try await list.controller.performBatchUpdates { source, changes in
            source.sections[0].items = Array(repeating: "x", count: 50)
            changes.insertItems(at: (0..<50).map { ItemPath(0, $0) })
        }
        await list.scroll(by: 10)
        await list.scroll(by: -10)
        #expect(await list.rows().count <= 50)
        await list.controller.close()
    }
}

@Suite("Registered views of a simulated list", .endsHangs)
struct RegisteredViewTests {
    /// Notes which models it was given.
    private final class NotingCell: CollectionViewCell {
        var notes: [String] = []

        override func contentDidChange() {
            notes.append((element?.nodeIfAllocated as? TextNode)?.text ?? "-")
        }
    }

    @Test(arguments: Substrate.allCases)
    func cellsOfARegisteredClassAreToldWhatTheyShow(_ substrate: Substrate) async throws {
        let list = try await List(substrate, [.init([])])
        try await list.onMain { view, _ in
            try view.register(
                NotingCell.self,
                forCellWithReuseIdentifier: SimulatedCollectionView.elementReuseIdentifier
            )
        }
        try await list.controller.performBatchUpdates { source, changes in
            source.sections[0].items = ["a"]
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        try await list.controller.performBatchUpdates { source, changes in
            source.sections[0].items = ["b"]
            changes.reconfigureItems(at: [ItemPath(0, 0)])
        }
        let notes = await list.onMain { view, _ in
            (view.cellForItem(at: ItemPath(0, 0)) as? NotingCell)?.notes
        }
        #expect(notes == ["a", "b"])
        #expect(await list.log().contains("refilled 0 - 0"))
        await list.controller.close()
    }
}

@Suite("The anchor of a simulated list", .endsHangs)
struct AnchorTests {
    private func scrolled(_ substrate: Substrate) async throws -> List {
        let list = try await List(substrate, tenItems, height: 2)
        await list.scroll(by: 5)
        return list
    }

    @Test(arguments: Substrate.allCases)
    func whatIsAtTheTopStaysThereWhenContentAboveChanges(_ substrate: Substrate) async throws {
        let list = try await scrolled(substrate)
        try await list.controller.performBatchUpdates { source, changes in
            source.sections[0].items.removeFirst(2)
            source.sections[0].items.insert("new", at: 0)
            source.sections.insert(["x", "y", "z"], at: 0)
            changes.deleteItems(at: [ItemPath(0, 0), ItemPath(0, 1)])
            changes.insertItems(at: [ItemPath(1, 0)])
            changes.insertSections([0])
        }
        #expect(await list.rows() == ["0: item 5", "1: item 6"])
        await list.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func anAnchorThatIsDeletedGivesWayToTheNextRowWhichStaysWhereItWas(_ substrate: Substrate)
        async throws
    {
        let list = try await scrolled(substrate)
        try await list.controller.performBatchUpdates { source, changes in
            source.sections[0].items.remove(at: 5)
            changes.deleteItems(at: [ItemPath(0, 5)])
        }
        #expect(await list.rows() == ["0: item 4", "1: item 6"])
        await list.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func aListThatShowsItsBeginningGoesOnShowingIt(_ substrate: Substrate) async throws {
        let list = try await List(substrate, tenItems, height: 2)
        try await list.controller.performBatchUpdates { source, changes in
            source.sections[0].items.insert("new", at: 0)
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        #expect(await list.rows() == ["0: new", "1: item 0"])
        await list.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func theAnchorFollowsItsSection(_ substrate: Substrate) async throws {
        let list = try await List(
            substrate,
            [.init(["a", "b", "c"]), .init(["d", "e", "f"])],
            height: 2
        )
        await list.scroll(by: 3)
        try await list.controller.performBatchUpdates { source, changes in
            source.sections.swapAt(0, 1)
            source.sections.insert(["new"], at: 0)
            changes.moveSection(1, toSection: 1)
            changes.insertSections([0])
        }
        #expect(await list.rows() == ["0: d", "1: e"])
        await list.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func aListThatBecomesShorterShowsItsEnd(_ substrate: Substrate) async throws {
        let list = try await scrolled(substrate)
        try await list.controller.performBatchUpdates { source, changes in
            source.sections[0].items = ["item 0"]
            changes.deleteItems(at: (1..<10).map { ItemPath(0, $0) })
        }
        #expect(await list.rows() == ["0: item 0"])
        await list.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func reloadingEverythingKeepsTheOffsetAsFarAsTheContentReaches(
        _ substrate: Substrate
    ) async throws {
        let list = try await scrolled(substrate)
        try await list.controller.reloadData()
        #expect(await list.rows() == ["0: item 5", "1: item 6"])
        await list.onMain { _, controller in
            controller.assumeIsolated().dataSource.sections[0].items = ["a", "b", "c"]
        }
        try await list.controller.reloadData()
        #expect(await list.rows() == ["0: b", "1: c"])
        await list.controller.close()
    }
}
