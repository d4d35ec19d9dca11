import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Reconfiguring cells")
struct ReconfigureTests {
    private let path = ItemPath(0, 1)

    private func error(_ body: () throws(ViewError) -> Void) -> ViewError? {
        do throws(ViewError) {
            try body()
            return nil
        } catch { return error }
    }

    @Test func aCellIsConfiguredAnewInPlaceAndAtOnce() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        let cell = try #require(bench.cell(0, 1))
        bench.source.sections[0][1] = "new"
        try bench.adapter.reconfigureItems(at: [path, ItemPath(0, 8), ItemPath(5, 5)])
        #expect(bench.log == ["dataSource view 0 - 1"], "what is out of sight has no cell")
        #expect(bench.cell(0, 1) === cell && cell.text == "new" && cell.numberOfReuses == 0)
        bench.settle()
        #expect(bench.log("willDisplay", "didEnd", "prepareForReuse", "layout prepare") == [])
        bench.check()
    }

    @Test func insideABatchItRunsAtOnceWithOldPaths() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        let cell = try #require(bench.cell(0, 1))
        try bench.update { source, changes in
            source.sections[0][1] = "new"
            try bench.adapter.reconfigureItems(at: [path])
            #expect(cell.text == "new")
            source.sections[0].removeFirst()
            changes.deleteItems(at: [ItemPath(0, 0)])
        }
        #expect(bench.cell(0, 0) === cell)
        bench.check()
    }

    @Test func recordedInABatchItRunsAfterTheEditsWithTheNewPath() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        let cell = try #require(bench.cell(0, 1))
        try bench.update { source, changes in
            source.sections[0] = ["new", "2"]
            changes.reconfigureItems(at: [path])
            changes.deleteItems(at: [ItemPath(0, 0)])
        }
        #expect(bench.cell(0, 0) === cell && cell.numberOfReuses == 0)
        #expect(bench.log("dataSource view") == ["dataSource view 0 - 0"])
        bench.check()
    }

    @Test func reconfiguringWhileReconfiguringIsRejected() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        var inner: ViewError?
        bench.source.madeCell = { view, path in
            inner = error { () throws(ViewError) in
                try bench.adapter.reconfigureItems(at: [ItemPath(0, 2)])
            }
            return try view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
        }
        try bench.adapter.reconfigureItems(at: [path])
        #expect(inner?.code == .reconfiguration)
        #expect(
            inner?.message.hasPrefix(
                "Attempted to reconfigure a cell while already in the process of reconfiguring a cell"
            ) == true
        )
    }

    @Test func anotherCellThanTheOneThereIsRefused() throws {
        let bench = try Bench([texts(3)])
        bench.load()
        let cell = bench.cell(0, 1)
        bench.source.madeCell = { _, _ in TextCell() }
        let refusal = error { () throws(ViewError) in
            try bench.adapter.reconfigureItems(at: [path])
        }
        #expect(refusal?.code == .reconfiguration && refusal?.place == .cell(path))
        #expect(
            refusal?.message.hasPrefix(
                "UICollectionView dataSource returned a different cell from"
                    + " -collectionView:cellForItemAtIndexPath: than the cell being reconfigured, which"
                    + " is not allowed"
            ) == true
        )
        #expect(bench.cell(0, 1) === cell)
        bench.source.madeCell = nil
        try bench.adapter.reconfigureItems(at: [path])
        bench.settle()
        bench.check()
    }

    @Test func anotherIdentifierOrPathIsRefused() throws {
        let bench = try Bench([texts(3)])
        try bench.view.register(TextCell.self, forCellWithReuseIdentifier: "other")
        bench.load()
        bench.source.madeCell = { view, path in
            try view.dequeueReusableCell(withReuseIdentifier: "other", for: path)
        }
        let identifier = error { () throws(ViewError) in
            try bench.adapter.reconfigureItems(at: [path])
        }
        #expect(
            identifier?.message.hasPrefix(
                "Attempted to dequeue a cell for a different registration or reuse identifier than the"
                    + " existing cell when reconfiguring"
            ) == true
        )
        bench.source.madeCell = { view, _ in
            try view.dequeueReusableCell(withReuseIdentifier: "row", for: ItemPath(0, 2))
        }
        let place = error { () throws(ViewError) in
            try bench.adapter.reconfigureItems(at: [path])
        }
        #expect([identifier?.code, place?.code] == [.reconfiguration, .reconfiguration])
        bench.source.madeCell = nil
        bench.settle()
        bench.check()
    }
}
