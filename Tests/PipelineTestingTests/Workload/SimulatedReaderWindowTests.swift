import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@testable import CollectionPublishing
@testable import PipelineTesting

/// What readers of a run say of their windows, of which they know what they follow or not.
@Suite("What readers of a run see in their windows", .endsHangs)
struct SimulatedReaderWindowTests {
    private static func readers(_ scene: HubScene, _ count: UInt64) -> [SimulatedReader] {
        (0..<count).map { scene.reader(isWindowed: true, seed: $0) }
    }

    /// A reader that asks for a window, which is there.
    private static func reader(
        of window: PublishedWindow,
        in scene: HubScene
    ) throws -> SimulatedReader {
        let seed = try #require(
            (UInt64(0)..<20_000).first { seed in
                var random = SeededGenerator(seed: seed)
                return SimulatedWindow(&random, at: nil).window == window
            }
        )
        let reader = scene.reader(isWindowed: true, seed: seed)
        scene.settle([reader])
        return reader
    }

    // MARK: Windows that are right

    /// Who is not told of what happens elsewhere does not know where it is by now, and need not.
    @Test func windowsInWhichNothingHappenedAreRightAtRest() {
        let scene = HubScene([[1, 2, 3], [], [4, 5, 6, 7]])
        let readers = Self.readers(scene, 80)
        scene.settle(readers)
        scene.insert([8, 9])
        scene.settle(readers)
        #expect(readers.contains { $0.replica.version == scene.version(1) })
        #expect(readers.contains { $0.replica.version == scene.version(2) })
        for reader in readers { reader.checkAtRest(newest: 2, scene.newest) }
        #expect(scene.noted == [])
        #expect(scene.marks("window") > 80)
    }

    /// A row is meant as it was when the reader was told last, or as it is when the hub is asked:
    /// as often the one as the other.
    @Test func windowsMoveToWhatWasInTheirRowThenOrIsNow() {
        let scene = HubScene([Array(1...12)]) {
            $0.resumableUpdates == 1000 && $0.resumableEdits > 8 && $0.retainedVersions == 1000
                && $0.retainedEdits > 4
        }
        let readers = Self.readers(scene, 500)
        // Nothing that was in a row is near to what is there now.
        scene.insert(Array(101...120))
        let late = readers.filter { $0.replica.version == scene.version(1) }
        #expect(late.count > 200)
        for reader in late { reader.move() }
        scene.run.simulation.run()
        scene.settle(readers)
        for reader in readers { reader.checkAtRest(newest: 2, scene.newest) }
        #expect(scene.noted == [])
        #expect(scene.marks("moved") == late.count)
        let ofThen = late.count { reader in
            reader.replica.state.items(inSection: 0).contains { $0.number <= 12 }
        }
        // Half of them follow nothing, or nothing that could be told apart.
        #expect((0.2...0.28).contains(Double(ofThen) / Double(late.count)))
    }

    /// Where a hub does not know any more what was in a row, it may show what is there now.
    @Test func windowsOfRowsOfAForgottenVersionAreRight() {
        let scene = HubScene([Array(1...12)]) {
            $0.resumableUpdates == 0 && $0.retainedEdits == 4 && $0.minimumInterval == .zero
        }
        let readers = Self.readers(scene, 200)
        scene.insert(Array(101...120))
        scene.insert(Array(201...220))
        let late = readers.filter { $0.replica.version == scene.version(1) }
        #expect(late.count > 60)
        for (index, reader) in late.enumerated() where index.isMultiple(of: 2) { reader.move() }
        scene.run.simulation.run()
        scene.settle(readers)
        for reader in readers { reader.checkAtRest(newest: 3, scene.newest) }
        #expect(scene.noted == [])
        #expect(scene.marks("moved") == (late.count + 1) / 2)
        #expect(scene.marks("reset forgotten") > 0)
    }

    /// Where everything is replaced a window stays in its place, wherever what it followed may be.
    @Test func windowsStayInTheirPlaceWhereEverythingIsReplaced() {
        let scene = HubScene([Array(1...8)])
        let readers = Self.readers(scene, 60)
        scene.told = { [unowned scene] in scene.reloading($0) }
        scene.published = scene.told
        scene.update { rows, changes in
            rows.sections[0] = [2, 3, 4, 5, 6, 7, 8, 1]
            changes.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 7))
        }
        scene.settle(readers)
        for reader in readers { reader.checkAtRest(newest: 2, scene.newest) }
        #expect(scene.noted == [])
        #expect(readers.count { $0.replica.version == scene.version(2) } > 40)
    }

    // MARK: Windows that are not

    @Test func whoSeesRowsThatAreGoneIsNoted() throws {
        let scene = HubScene([[1, 2, 3]])
        let reader = try Self.reader(of: .rows(0, count: 3), in: scene)
        scene.published = { _ in nil }
        scene.update { rows, changes in
            rows.sections[0] = [1]
            changes.deleteItems(at: [ItemPath(0, 1), ItemPath(0, 2)])
        }
        reader.checkAtRest(newest: 2, scene.newest)
        let noted = scene.noted
        #expect(noted.count == 2, "\(noted)")
        #expect(
            noted.first == "Converges: hub: reader 1 at rest has what is not shown any more"
        )
        let prefix = "Converges: hub: reader 1, who asked for 3 rows from 0, sees "
        #expect(noted.last?.hasPrefix(prefix) == true, "\(noted)")
    }

    /// Something came before what a window follows, which is told that it is where it was.
    @Test func whoIsToldAnotherPlaceIsNoted() throws {
        let scene = HubScene([[1, 2, 3]])
        let reader = try Self.reader(of: .around(row: 1, before: 0, after: 0), in: scene)
        scene.published = { _ in nil }
        scene.insert([4])
        var changes = HierarchyChangeSet()
        changes.insertItems(at: [ItemPath(0, 3)])
        try scene.publish(changes, leadingTo: HubScene.state([1, 2, 3, 4]))
        scene.hub.hub.sendUpToDate()
        scene.settle([reader])
        #expect(reader.replica.version == scene.version(2))
        let noted = scene.noted
        let prefix = "Converges: hub: reader 1, who asked for 1 rows, 0 of them before row 1, sees "
        #expect(noted.contains { $0.hasPrefix(prefix) }, "\(noted)")
    }
}
