import CollectionPublishing
import PipelineTestSupport
import Testing

@testable import CollectionReplication
@testable import PipelineTesting

/// Which promises of a member are kept in mind, what of them is reported, and what the trace says of it.
@Suite("What members of a cluster promise", .endsHangs)
struct ClusterPromiseTests {
    /// A leader whose own journal is what it shows by.
    private func promising() throws -> ClusterStage {
        let stage = ClusterStage(visibility: 1)
        try stage.lead()
        try stage.publish()
        #expect(stage.member.track.promise?.mark == stage.member.lastPublished)
        return stage
    }

    @Test func whoLeavesByItsOwnWillPromisesNothing() throws {
        for leave in [SimulatedMember.close, SimulatedMember.resign] {
            let stage = try promising()
            leave(stage.member)()
            #expect(stage.member.track.promise == nil)
            stage.member.crash()
            #expect(stage.member.track.owed == nil)
        }
        let stage = try promising()
        let mark = stage.member.lastPublished
        stage.member.crash()
        #expect(stage.member.track.owed?.mark == mark, "but who dies does")
    }

    @Test func whoLeadsNoMoreHasNoApplication() throws {
        let stage = try promising()
        let number = stage.member.lastPublished?.source
        stage.member.resign()
        #expect(stage.run { stage.member.lastPublished == nil })
        #expect(!stage.member.isLeading)
        stage.member.publish(3)
        stage.wait(.milliseconds(200))
        #expect(stage.member.lastPublished == nil)
        stage.member.stand()
        #expect(stage.run { stage.member.lastPublished != nil })
        // It may begin with what the one before has published.
        stage.member.publish(1)
        stage.wait(.milliseconds(200))
        #expect(stage.member.lastPublished?.source == number.map { $0 + 1 })
        #expect(stage.cluster.violations == [])
    }

    /// What is broken where the first member shows a state at a made-up version.
    private func broken(
        _ stage: ClusterStage,
        showing mark: SourceMark?,
        at number: Int,
        isReset: Bool = true
    ) throws -> [String] {
        let state = mark.map { ClusterStage.state($0) } ?? PublishedState()
        if let mark { stage.oracle.published(mark, state) }
        let replica = try ClusterStage.replica(state, at: number)
        return stage.broken {
            stage.oracle.shown(replica, at: ClusterStage.version(number), to: "its watcher")
            stage.oracle.shown(replica, by: stage.member, isReset: isReset)
        }
    }

    /// An opening shows what the log had, and that is nothing that a journal had to keep.
    @Test func whatAnOpeningShowsIsNoPromise() throws {
        for isOpening in [false, true] {
            let stage = try promising()
            let source = try #require(stage.member.lastPublished?.source)
            let mark = SourceMark(source: source, number: 60)
            let record = stage.record(
                40,
                from: 0,
                to: 50,
                of: ClusterStage.state(mark),
                isOpening: isOpening
            )
            #expect(stage.broken { stage.oracle.sealed(record.bytes, by: stage.member) } == [])
            stage.member.track.promise = nil
            #expect(try broken(stage, showing: mark, at: 50) == [])
            #expect(stage.member.track.promise?.mark == (isOpening ? nil : mark))
        }
    }

    /// A state of another application is not its own promise either.
    @Test func whatAnotherPublishedIsNoPromise() throws {
        let stage = try promising()
        let source = try #require(stage.member.lastPublished?.source)
        stage.member.track.promise = nil
        #expect(try broken(stage, showing: SourceMark(source: source + 1, number: 9), at: 50) == [])
        #expect(stage.member.track.promise == nil)
        #expect(try broken(stage, showing: nil, at: 51) == [])
        #expect(stage.member.track.promise == nil)
    }

    // MARK: What is lost

    @Test func whatIsLostIsReportedOnceHoweverOftenItWasShown() throws {
        let stage = ClusterStage(visibility: 2)
        stage.member.track.leaseSetAt = .zero
        let record = stage.record(1, from: 0, to: 10, isOpening: true)
        stage.oracle.sealed(record.bytes, by: stage.member)
        for version in [20, 30, 20, 20, 30] {
            let mark = SourceMark(source: 1, number: version)
            #expect(try broken(stage, showing: mark, at: version) == [])
        }
        #expect(try broken(stage, showing: nil, at: 40) == [], "and nothing is not lost")
        stage.oracle.checkConfirmed(in: record.position)
        let expected = [20, 30].map { number in
            "Durable As Promised: \(ClusterStage.version(number)) was shown as the broker's, and is lost"
        }
        #expect(stage.cluster.violations.map(\.description) == expected)
    }

    // MARK: The trace

    @Test func whatIsAcceptedIsInTheTrace() throws {
        let stage = ClusterStage(keepsTrace: true)
        try stage.lead()
        try stage.publish()
        let status = try #require(stage.member.replica?.status)
        let position = try #require(status.position)
        let notes = stage.cluster.simulation.trace.flatMap(\.notes)
        let place = "\(position.epoch)/\(position.sequence), log \(status.logPosition)"
        #expect(notes.filter { $0.hasPrefix("0: at ") }.last == "0: at \(place)")
    }

    @Test func whatIsShownIsInTheTrace() throws {
        let stage = ClusterStage(keepsTrace: true)
        stage.cluster.lane.enqueue {}
        #expect(stage.cluster.simulation.step())
        let mark = SourceMark(source: 1, number: 2)
        #expect(try broken(stage, showing: mark, at: 10, isReset: false) == [])
        #expect(try broken(stage, showing: mark, at: 10, isReset: true) == [])
        #expect(try broken(stage, showing: nil, at: 11, isReset: false) == [])
        let notes = try #require(stage.cluster.simulation.trace.last?.notes)
        #expect(notes == ["0: shows #1.2", "0: shows #1.2 anew", "0: shows nothing"])
    }
}
