import CollectionPipeline
import PipelineTestSupport
import Testing

@testable import pipeline_benchmarks

/// Rows that are shown, published or compared, a thousand in place of a million.
@Suite("Rows of benchmarks", .endsHangs)
struct ShownRowsTests {
    // MARK: Prepared rows

    @Test func onlyRowsThatAreNearHaveNodes() throws {
        let rows = try PreparedRows(rowCount: 1_000)
        let first = rows.nodesMade
        #expect(first >= 50 && first < 600)
        #expect(rows.viewportsOfNodes == Double(first) / 50)
        #expect(rows.viewportsAlive == rows.viewportsOfNodes)
        #expect(rows.nanosecondsOfFirstRows > 0)
        #expect(!rows.isAtEnd)
        for _ in 0..<3 { #expect(rows.nanosecondsOfScreenful() > 0) }
        #expect(rows.nodesMade > first)
        rows.go(to: 999)
        #expect(rows.isAtEnd)
        #expect(rows.sectionsOnMainLane == 0)
    }

    @Test func allRowsAreMeasuredWhereTheyAreToBe() throws {
        let rows = try PreparedRows(rowCount: 1_000, areAllMeasured: true)
        #expect(rows.nodesMade == 1_000 && rows.viewportsAlive == 20)
        #expect(rows.sectionsOnMainLane > 0)
        try rows.insert()
        #expect(rows.nodesMade == 1_001 && rows.viewportsAlive == 20.02)
    }

    @Test func rowsThatAreFarAwayAreReleasedWhereTheyAreToBe() throws {
        let rows = try PreparedRows(rowCount: 1_000, areAllMeasured: true, releasesNodes: true)
        #expect(rows.nodesMade == 1_000)
        rows.go(to: 900)
        #expect(rows.viewportsAlive < 20)
    }

    @Test func rowsAreScrolledThroughOnce() throws {
        let through = try ScrollThrough.of(5_000)
        #expect(try ScrollThrough.of(5_000).steps == through.steps)
        #expect(through.nodesMade >= 5_000)
        #expect(through.mostViewportsAlive < 50)
    }

    // MARK: Published rows

    @Test func windowsAreToldOnceAndOfNothingOutside() throws {
        var rows = try WindowedRows(count: 1_000, windows: 4)
        let messages = rows.messages
        #expect(messages == 4)
        for _ in 0..<6 { try rows.publishOutside() }
        #expect(rows.messages == messages)
    }

    @Test func readersThatPauseHaveBeenToldEverything() throws {
        let missed = try MissedChanges(items: 100, lasting: 4, passing: 30)
        var rows = try PublishedRows(missed)
        #expect(rows.encodedByteCount == 0)
        let before = BlackHole.consumed
        rows.pause(3)
        rows.listen(2)
        #expect(rows.paused.count == 3)
        #expect(BlackHole.consumed.count - before.count == 5)
        rows.publishAndTell()
        #expect(BlackHole.consumed.count - before.count == 7)
        rows.publishAgain(missed.passing.count - 1)
        rows.resumeOne()
        #expect(rows.paused.count == 2)
        #expect(rows.encodedByteCount > 0)
    }

    // MARK: Maps

    @Test func mapsHaveTheGenerationsOfAControllers() throws {
        let map = try MapFactory.makeMap(.init(2, 3))
        let insertion = try MapFactory.insertion(at: ItemPath(section: 0, item: 0), into: map)
        #expect(map.generation == 1 && insertion().generation == 2)
        #expect(insertion().numberOfElements == 7)
    }

    // MARK: Differences

    @Test func newSectionsHaveIdentifiersOfTheirOwn() {
        let (old, new) = SectionedInput.secs.make(sections: 300)
        let identifiers = Set(new.map(\.id))
        #expect(identifiers.count == 300)
        #expect(identifiers.subtracting(old.map(\.id)).isSubset(of: [300, 301, 302]))
    }

    /// What is equal on both sides, and many times there, is found by its neighbours.
    @Test func equalElementsBesideAMatchAreMatched() {
        #expect(PlainHeckel(from: [1, 1, 1, 2], to: [1, 1, 1, 2]).count == 0)
        #expect(PlainHeckel(from: [2, 1, 1, 1], to: [2, 1, 1, 1]).count == 0)
        #expect(PlainHeckel(from: [1, 1], to: [1, 1]).count == 4)
        let one = PlainHeckel(from: [1, 1, 2, 3, 3], to: [1, 2, 3])
        #expect(one.deletions == [0, 4] && one.insertions.isEmpty && one.moves.isEmpty)
    }
}
