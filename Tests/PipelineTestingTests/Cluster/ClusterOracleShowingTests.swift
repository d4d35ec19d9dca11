import CollectionChanges
import CollectionPublishing
import PipelineTestSupport
import Testing

@testable import CollectionReplication
@testable import PipelineTesting

@Suite("What members of a cluster show", .endsHangs)
struct ClusterOracleShowingTests {
    private static let durable = ClusterOracle.durable

    private func mark(_ source: Int, _ number: Int) -> SourceMark {
        SourceMark(source: source, number: number)
    }

    /// What is broken where somebody is shown a state at a version.
    private func broken(
        _ stage: ClusterStage,
        showing state: PublishedState,
        at number: Int
    ) throws -> [String] {
        let replica = try ClusterStage.replica(state, at: number)
        return stage.broken {
            stage.oracle.shown(replica, at: ClusterStage.version(number), to: "somebody")
        }
    }

    /// What is broken where the first member shows what was published with a mark.
    private func broken(
        _ stage: ClusterStage,
        showing mark: SourceMark?,
        at number: Int,
        isReset: Bool = false
    ) throws -> [String] {
        let state = mark.map { ClusterStage.state($0) } ?? PublishedState()
        if let mark { stage.oracle.published(mark, state) }
        let replica = try ClusterStage.replica(state, at: number)
        return stage.broken {
            stage.oracle.shown(replica, at: ClusterStage.version(number), to: "its watcher")
            stage.oracle.shown(replica, by: stage.member, isReset: isReset)
        }
    }

    // MARK: States

    @Test func aStateIsWhatItWasFirstPublishedAs() throws {
        let stage = ClusterStage()
        let (first, second) = (ClusterStage.state(mark(1, 1)), ClusterStage.state(mark(1, 1), "a"))
        stage.oracle.published(mark(1, 1), first)
        // Who takes over begins with it, and may have changed it by then.
        stage.oracle.published(mark(1, 1), second)
        #expect(try broken(stage, showing: first, at: 1) == [])
        #expect(try broken(stage, showing: second, at: 2) == ["Prefix"])
        #expect(try broken(stage, showing: ClusterStage.state(mark(1, 2)), at: 3) == ["Prefix"])
    }

    @Test func everybodyIsShownTheSameAtAVersion() throws {
        let stage = ClusterStage()
        let states = (1...2).map { ClusterStage.state(mark(1, $0)) }
        for number in 1...2 { stage.oracle.published(mark(1, number), states[number - 1]) }
        for _ in 0..<2 { #expect(try broken(stage, showing: states[0], at: 1) == []) }
        #expect(try broken(stage, showing: states[1], at: 1) == ["Prefix"])
        #expect(try broken(stage, showing: states[1], at: 2) == [])
    }

    @Test func whatIsShownIsWhatWasSealed() throws {
        let stage = ClusterStage()
        stage.member.track.leaseSetAt = .zero
        let states = (1...2).map { ClusterStage.state(mark(1, $0)) }
        for number in 1...2 {
            stage.oracle.published(mark(1, number), states[number - 1])
            let record = stage.record(UInt64(number), from: 0, to: number, of: states[0])
            stage.oracle.sealed(record.bytes, by: stage.member)
        }
        #expect(try broken(stage, showing: states[0], at: 1) == [])
        #expect(try broken(stage, showing: states[1], at: 2) == ["Prefix"])
    }

    @Test func onlyNothingIsWithoutAMark() throws {
        let stage = ClusterStage()
        #expect(try broken(stage, showing: PublishedState(), at: 1) == [])
        #expect(try broken(stage, showing: ClusterStage.state(nil), at: 2) == ["Prefix"])
        #expect(try broken(stage, showing: ClusterStage.state(nil, "a"), at: 3) == ["Prefix"])
    }

    // MARK: One after the other

    @Test func whoShowsWhatTheBrokerHasNeverGoesBack() throws {
        let stage = ClusterStage(visibility: 2)
        let shown: [(SourceMark, isReset: Bool, expected: [String])] = [
            (mark(1, 2), false, []), (mark(1, 3), false, []), (mark(1, 1), false, ["Prefix"]),
            (mark(1, 5), false, []), (mark(1, 4), true, []), (mark(1, 4), false, []),
            // Another source counts from the beginning.
            (mark(2, 1), false, []), (mark(2, 2), false, []), (mark(2, 1), false, ["Prefix"]),
        ]
        for (index, step) in shown.enumerated() {
            let found = try broken(stage, showing: step.0, at: index + 1, isReset: step.isReset)
            #expect(found == step.expected, "step \(index)")
            #expect(stage.member.track.lastMark == step.0)
        }
        #expect(try broken(stage, showing: nil, at: 100) == [])
        #expect(stage.member.track.lastMark == nil)
    }

    @Test(arguments: 0...1)
    func whoShowsMoreThanTheBrokerHasMayGoBack(visibility: Int) throws {
        let stage = ClusterStage(visibility: visibility)
        #expect(try broken(stage, showing: mark(1, 2), at: 1) == [])
        #expect(try broken(stage, showing: mark(1, 1), at: 2) == [])
    }

    @Test func whatTheBrokerHasLostMayGoBack() throws {
        let stage = ClusterStage(visibility: 2, faults: [.logIsDeleted])
        #expect(!stage.cluster.brokerHasLost)
        #expect(stage.cluster.simulation.happens(.logIsDeleted))
        #expect(stage.cluster.brokerHasLost)
        #expect(try broken(stage, showing: mark(1, 2), at: 1) == [])
        #expect(try broken(stage, showing: mark(1, 1), at: 2) == [])
    }

    // MARK: What comes back

    /// What is broken where a member that owes the third state of the second source comes back with another.
    private func broken(comingBackWith mark: SourceMark?) throws -> [String] {
        let stage = ClusterStage(visibility: 1)
        stage.member.track.owed = MemberTrack.Promise(mark: self.mark(2, 3), epoch: 4)
        let found = try broken(stage, showing: mark, at: 1, isReset: true)
        #expect(stage.member.track.owed == nil)
        #expect(stage.marks()["came back"] == 1)
        return found
    }

    @Test func whatWasPromisedComesBackOrWhatIsLater() throws {
        for mark in [mark(2, 3), mark(2, 4), mark(3, 1), mark(3, 9)] {
            #expect(try broken(comingBackWith: mark) == [], "\(mark)")
        }
        for mark in [nil, mark(2, 2), mark(2, 1), mark(1, 3), mark(1, 9)] {
            let found = try broken(comingBackWith: mark)
            #expect(found == [Self.durable], "\(mark.map { "\($0)" } ?? "nothing")")
        }
    }

    /// Version 0 is what there is before anything was read.
    @Test func whatWasPromisedIsLookedForInTheFirstVersion() throws {
        let stage = ClusterStage(visibility: 1)
        stage.member.track.owed = MemberTrack.Promise(mark: mark(2, 3), epoch: 4)
        #expect(try broken(stage, showing: nil, at: 0, isReset: true) == [])
        #expect(stage.member.track.owed != nil)
        #expect(try broken(stage, showing: nil, at: 1) == [Self.durable])
        #expect(stage.member.track.owed == nil)
        #expect(try broken(stage, showing: nil, at: 2) == [], "once")
    }

    /// Whether the promise of epoch 4 still holds when an epoch was opened by a member and perhaps appended by another as
    /// well, who helped.
    private func holds(epoch: UInt64, openedBy opener: Int, helpedBy helper: Int?) throws -> Bool {
        let stage = ClusterStage(members: 2, visibility: 1)
        for member in stage.members { member.track.leaseSetAt = .zero }
        let record = stage.record(1, epoch: epoch, from: 0, to: 50, isOpening: true)
        for index in [opener, helper].compactMap(\.self) {
            stage.oracle.sealed(record.bytes, by: stage.members[index])
        }
        stage.member.track.owed = MemberTrack.Promise(mark: mark(2, 3), epoch: 4)
        return try broken(stage, showing: nil, at: 1) == [Self.durable]
    }

    @Test func whereAnotherHasLedNothingIsPromised() throws {
        #expect(try holds(epoch: 3, openedBy: 1, helpedBy: nil), "before the promise")
        #expect(try holds(epoch: 4, openedBy: 0, helpedBy: nil), "its own epoch")
        #expect(try holds(epoch: 4, openedBy: 0, helpedBy: 1), "who helps has not led")
        #expect(try !holds(epoch: 4, openedBy: 1, helpedBy: nil))
        #expect(try !holds(epoch: 5, openedBy: 1, helpedBy: nil))
    }

    @Test func whoDiesOwesWhatItHasPromised() {
        let stage = ClusterStage()
        let track = { stage.member.track }
        stage.member.track.promise = MemberTrack.Promise(mark: mark(1, 2), epoch: 1)
        stage.oracle.died(stage.member)
        #expect(track().owed?.mark == mark(1, 2))
        #expect(track().promise == nil)
        stage.member.track.promise = MemberTrack.Promise(mark: mark(1, 3), epoch: 1)
        stage.oracle.left(stage.member)
        #expect(track().promise == nil)
        stage.oracle.died(stage.member)
        #expect(track().owed == nil, "it has left")
    }

    @Test(arguments: [(0, true), (1, true), (1, false), (2, true)])
    func aJournalOfItsOwnIsWhatALeaderPromisesBy(visibility: Int, hasJournal: Bool) throws {
        let stage = ClusterStage(visibility: visibility, hasJournal: hasJournal)
        try stage.lead()
        try stage.publish()
        let promise = stage.member.track.promise
        if visibility == 1, hasJournal {
            #expect(promise?.mark == stage.member.lastPublished)
            #expect(promise?.epoch == stage.member.replica?.status.position?.epoch)
        } else {
            #expect(promise == nil)
        }
        #expect(stage.cluster.violations == [])
    }

    // MARK: What is lost

    /// A line from version 10 to 12, at which the first member shows the first two states of a source. Of the three
    /// records that lead there some at the beginning are not known.
    private func line(
        _ stage: ClusterStage,
        withoutFirst count: Int = 0
    ) throws -> ChainPosition {
        stage.member.track.leaseSetAt = .zero
        let states = [PublishedState()] + (1...2).map { ClusterStage.state(mark(1, $0)) }
        var last: ChainPosition?
        for index in 0..<3 {
            let record = stage.record(
                UInt64(index) + 1,
                from: index == 0 ? 0 : 9 + index,
                to: 10 + index,
                after: last,
                of: states[index],
                isOpening: index == 0
            )
            last = record.position
            if index >= count { stage.oracle.sealed(record.bytes, by: stage.member) }
        }
        #expect(try broken(stage, showing: mark(1, 1), at: 11, isReset: true) == [])
        #expect(try broken(stage, showing: mark(1, 2), at: 12, isReset: true) == [])
        return try #require(last)
    }

    @Test func whatIsInTheLineOrBehindALaterStateIsNotLost() throws {
        let stage = ClusterStage(visibility: 2)
        let end = try line(stage)
        #expect(stage.broken { stage.oracle.checkConfirmed(in: end) } == [])
        // Another way to what the line has too.
        #expect(try broken(stage, showing: mark(1, 1), at: 20, isReset: true) == [])
        #expect(try broken(stage, showing: mark(1, 2), at: 21, isReset: true) == [])
        #expect(stage.broken { stage.oracle.checkConfirmed(in: end) } == [])
    }

    @Test(arguments: [(1, 3), (2, 1)])
    func whatTheLineDoesNotHaveIsLost(source: Int, number: Int) throws {
        for version in [5, 13] {
            let stage = ClusterStage(visibility: 2)
            let end = try line(stage)
            let shown = mark(source, number)
            #expect(try broken(stage, showing: shown, at: version, isReset: true) == [])
            #expect(stage.broken { stage.oracle.checkConfirmed(in: end) } == [Self.durable])
        }
    }

    /// Only a broker that has it makes something confirmed.
    @Test(arguments: 0...1)
    func whatTheBrokerWasNotWaitedForMayBeLost(visibility: Int) throws {
        let stage = ClusterStage(visibility: visibility)
        let end = try line(stage)
        #expect(try broken(stage, showing: mark(1, 3), at: 13, isReset: true) == [])
        #expect(stage.broken { stage.oracle.checkConfirmed(in: end) } == [])
    }

    @Test func nothingIsKnownOfTheLineBeforeWhatIsKnownOfIt() throws {
        for version in [9, 10, 13] {
            let stage = ClusterStage(visibility: 2)
            let end = try line(stage, withoutFirst: 1)
            #expect(try broken(stage, showing: mark(1, 9), at: version, isReset: true) == [])
            let found = stage.broken { stage.oracle.checkConfirmed(in: end) }
            #expect(found == (version > 10 ? [Self.durable] : []), "version \(version)")
        }
    }
}
