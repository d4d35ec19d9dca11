import CollectionPipeline
import PipelineTestSupport
import Testing

@testable import pipeline_benchmarks

/// Rows that are shown or published, a thousand in place of a million.
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
        // What passes goes on where it is: of the next rounds nothing is left but that one.
        rows.publishAgain(2 * missed.passing.count)
        let consumed = BlackHole.consumed
        rows.resumeOne()
        #expect(rows.paused.count == 2)
        #expect(rows.encodedByteCount > 0)
        #expect(BlackHole.consumed.sum - consumed.sum == 1)
    }
}
