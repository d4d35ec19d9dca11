import PipelineTestSupport
import SimulatedView
import Testing

@Suite("What an update does besides its edits")
struct UpdatingTests {
    private let kind = SupplementaryKind(rawValue: "backdrop")

    /// Headers and decorations around rows.
    private func fullBench(_ sections: [[String]]) throws -> Bench<RowLayout> {
        let bench = try Bench(sections, height: 100)
        bench.layout.headerHeight = 5
        bench.layout.decorationKind = kind
        bench.layout.register(Backdrop.self, forDecorationViewOfKind: kind)
        bench.load()
        return bench
    }

    @Test func withoutAnimationNobodyAsksWhatComesAndGoesAndViewsGoByTheirPlaces() throws {
        let bench = try fullBench([texts(2), texts(2, "b")])
        try bench.update { source, changes in
            source.sections = [["1"]]
            changes.deleteItems(at: [ItemPath(0, 0)])
            changes.deleteSections([1])
        }
        #expect(
            bench.log("layout indexPaths", "layout initial", "layout final") == [
                "layout finalizeCollectionViewUpdates"
            ]
        )
        #expect(
            bench.log("didEnd").map { $0.dropFirst("didEndDisplaying ".count) } == [
                "0 - 0", "1 - 0", "1 - 1", "header 1 - 0", "decoration backdrop 1 - 0",
            ]
        )
        bench.check()
    }

    /// What the update took away stands among what the layout says is replaced.
    @Test func whatGoesInAnAnimationIsInTheOrderOfPlaces() throws {
        let bench = try fullBench([texts(1), texts(1, "b")])
        bench.layout.deletedPaths = [.decoration(kind): [ItemPath(0, 0)]]
        bench.layout.insertedPaths = [.supplementary(.header): [ItemPath(1, 0)]]
        try bench.update(animated: true) { source, changes in
            source.sections[0].append("new")
            changes.insertItems(at: [ItemPath(0, 1)])
        }
        let gone: [LayoutPlace] = [
            .header(1), LayoutPlace(.decoration(kind), ItemPath(0, 0)),
        ]
        #expect(bench.view.transitions.filter { $0.newPlace == nil }.map(\.oldPlace) == gone)
        #expect(
            bench.log("didEnd") == [
                "didEndDisplaying header 1 - 0", "didEndDisplaying decoration backdrop 0 - 0",
            ]
        )
        bench.layout.deletedPaths = [:]
        bench.layout.insertedPaths = [:]
        bench.check()
    }

    @Test(arguments: [true, false])
    func transitionsAreThoseOfTheLastAnimation(_ isReload: Bool) throws {
        let bench = try Bench([texts(9)])
        bench.load()
        try bench.update(animated: true) { source, changes in
            source.sections[0].removeFirst()
            changes.deleteItems(at: [ItemPath(0, 0)])
        }
        #expect(bench.view.transitions.count == 4)
        if isReload {
            bench.adapter.reloadData()
            bench.settle()
        } else {
            try bench.update { _, changes in changes.reloadItems(at: [ItemPath(0, 0)]) }
        }
        #expect(bench.view.transitions == [])
        bench.check()
    }

    /// Whoever is asked for a target has everything reloaded: nothing is left for the animation to end.
    @Test func aReloadFromWithinAnAnimatedUpdateEndsEverythingAtOnce() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        bench.watcher.target = { [adapter = bench.adapter] offset in
            adapter.reloadData()
            return offset
        }
        try bench.adapter.performBatchUpdates { changes in
            bench.source.sections[0].removeFirst()
            changes.deleteItems(at: [ItemPath(0, 0)])
        }
        bench.watcher.target = { $0 }
        #expect(
            bench.log("didEnd", "reloaded", "willDisplay") == [
                "reloaded", "didEndDisplaying 0 - 0", "didEndDisplaying 0 - 0",
                "didEndDisplaying 0 - 1", "willDisplay 0 - 0", "willDisplay 0 - 1",
                "willDisplay 0 - 2",
            ]
        )
        bench.check()
        // Nor does what scrolls out of sight wait for its end.
        bench.view.scroll(by: 10)
        bench.view.layoutIfNeeded()
        bench.check()
        #expect(bench.log("didEnd").count == 4)
        bench.lane.run()
        bench.check()
    }

    @Test func aReloadForgetsTheTouchAndWhatWasToStayInPlace() throws {
        let bench = try Bench([texts(50)])
        bench.load()
        bench.view.scroll(by: 105)
        bench.settle()
        bench.view.touchDown(at: ItemPath(0, 11))
        bench.layout.rowHeight = 20
        bench.layout.invalidateLayout()
        bench.adapter.reloadData()
        bench.settle()
        #expect(bench.view.contentOffset.y == 105 && bench.view.highlightedItem == nil)
        bench.view.touchUp()
        #expect(bench.view.indexPathsForSelectedItems == [] && bench.log("didHighlight").count == 1)
        bench.view.tapItem(at: ItemPath(0, 6))
        #expect(bench.view.indexPathsForSelectedItems == [ItemPath(0, 6)])
        bench.check()
    }

    private enum Edit: CaseIterable { case item, section, reconfigured, header, none }

    /// A layout hears of every kind of change, and of none where there is none.
    @Test(arguments: Edit.allCases)
    private func theLayoutIsToldOfEveryKindOfChange(_ edit: Edit) throws {
        let bench = try fullBench([texts(2)])
        try bench.update { source, changes in
            switch edit {
            case .item: changes.reloadItems(at: [ItemPath(0, 1)])
            case .section: changes.reloadSections([0])
            case .reconfigured: changes.reconfigureItems(at: [ItemPath(0, 1)])
            case .header: changes.reloadSupplementaries(ofKind: .header, in: [0])
            case .none: break
            }
        }
        let calls = bench.log("layout prepare", "layout finalize", "invalidated", "layout target")
        let texts = [Edit.item: "reload 0 - 1 as 0 - 1", .section: "reload section 0 as 0"]
        let expected = [
            "invalidated counts", "layout prepare(applying:)",
            "layout prepare(forCollectionViewUpdates:) \(texts[edit] ?? "")",
            "layout targetContentOffset (0, 0): (0, 0)", "layout finalizeCollectionViewUpdates",
        ]
        #expect(calls == (edit == .none ? [] : expected))
        let isAgain = edit == .header || edit == .section
        #expect(bench.log("willDisplay header").count == (isAgain ? 1 : 0))
        #expect(bench.log("refilled") == (edit == .reconfigured ? ["refilled 0 - 1"] : []))
        bench.check()
    }

    /// The offset follows what is visible, which has the layout be invalid once more.
    @Test func whatTheNewOffsetInvalidatesIsPreparedBeforeTheUpdateIsFinal() throws {
        let bench = try Bench([texts(50)])
        bench.layout.invalidatesForBounds = true
        bench.load()
        bench.view.scroll(by: 100)
        bench.settle()
        bench.clear()
        try bench.update { source, changes in
            source.sections[0].insert("new", at: 0)
            changes.insertItems(at: [ItemPath(0, 0)])
        }
        let calls = bench.log("layout", "scrolled", "invalidated").filter {
            !$0.contains("preferred") && !$0.contains("attributes for")
        }
        #expect(
            Array(calls.prefix(14)) == [
                "invalidated counts", "layout prepare(applying:)",
                "layout collectionViewContentSize 100 × 510",
                "layout prepare(forCollectionViewUpdates:) insert 0 - 0",
                "layout attributes in (0, 90) 100 × 60: 6",
                "layout targetContentOffset (0, 110): (0, 110)",
                "layout shouldInvalidateLayout bounds (0, 110) 100 × 30: true",
                "layout context for bounds (0, 110) 100 × 30", "scrolled (0, 110)",
                "invalidated all", "layout prepare", "layout collectionViewContentSize 100 × 510",
                "layout attributes in (0, 90) 100 × 60: 6", "layout finalizeCollectionViewUpdates",
            ]
        )
        bench.check()
    }

    /// A touch that is down has the others look deselected, and ends with its item.
    @Test(arguments: [true, false])
    func selectedItemsLookSelectedAgainOnlyWhereTheTouchEnded(_ isGone: Bool) throws {
        let bench = try Bench([texts(3)])
        bench.load()
        try bench.view.selectItem(at: ItemPath(0, 0))
        bench.view.touchDown(at: ItemPath(0, 1))
        #expect(bench.cell(0, 0)?.isSelected == false)
        try bench.update { source, changes in
            let item = isGone ? 1 : 2
            source.sections[0].remove(at: item)
            changes.deleteItems(at: [ItemPath(0, item)])
        }
        #expect(bench.cell(0, 0)?.isSelected == isGone)
        #expect(bench.view.highlightedItem == (isGone ? nil : ItemPath(0, 1)))
        bench.view.cancelTouch()
        bench.check()
    }

    @Test func cellsThatWaitedForItemsThatAreGoneAreUsedForOthers() throws {
        let bench = try Bench([texts(50)])
        bench.view.isPrefetchingEnabled = true
        bench.load()
        bench.view.idleTick(preparing: 3)
        #expect(bench.view.preparedItems == [3, 4, 5].map { ItemPath(0, $0) })
        try bench.update { source, changes in
            source.sections[0].removeSubrange(4...5)
            changes.deleteItems(at: [ItemPath(0, 4), ItemPath(0, 5)])
        }
        #expect(bench.view.preparedItems == [ItemPath(0, 3)])
        #expect(bench.view.numberOfReusableViews == 2)
        bench.adapter.reloadData()
        bench.settle()
        #expect(bench.view.preparedItems == [] && bench.view.numberOfReusableViews == 3)
        #expect(bench.view.numberOfMadeViews == 6)
        bench.check()
    }
}
