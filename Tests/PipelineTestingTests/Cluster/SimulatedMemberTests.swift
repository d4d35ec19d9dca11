import CollectionPublishing
import CollectionReplication
import PipelineTestSupport
import Testing

@testable import PipelineTesting

@Suite("Members of a cluster that live and die", .endsHangs)
struct SimulatedMemberTests {
    // MARK: Lives

    @Test func eachStartIsAnotherLife() {
        let stage = ClusterStage()
        let member = stage.member
        #expect(!member.isAlive)
        #expect(member.life == 0)
        for life in 1...3 {
            member.start()
            #expect(member.isAlive)
            #expect(member.life == life)
            let process = member.process
            member.start()
            #expect(member.process === process, "who lives is not started")
            #expect(member.life == life)
            member.crash()
            #expect(!member.isAlive)
            #expect(member.hub == nil)
            member.crash()
            #expect(process?.isDead == true)
        }
    }

    @Test func aLifeBeginsWithNothingThatWasSeenBefore() {
        var track = MemberTrack()
        let mark = SourceMark(source: 1, number: 2)
        track.position = nil
        (track.isLost, track.lastMark, track.leaseSetAt) = (false, mark, .seconds(1))
        track.owed = MemberTrack.Promise(mark: mark, epoch: 1)
        track.begin(life: 2)
        #expect(track.position == nil)
        #expect(track.isLost)
        #expect(track.lastMark == nil)
        #expect(track.leaseSetAt == nil)
        #expect(track.owed?.mark == mark, "what it owes, it owes in its next life")
    }

    @Test func whoIsStartedAgainIsTrackedFromTheBeginning() throws {
        let stage = ClusterStage()
        try stage.lead()
        let member = stage.member
        #expect(member.track.position != nil)
        #expect(!member.track.isLost)
        #expect(member.track.lastMark != nil)
        #expect(member.track.leaseSetAt != nil, "it is watched when it sets the lease")
        member.crash()
        member.start()
        #expect(member.track.position == nil)
        #expect(member.track.isLost)
        #expect(member.track.lastMark == nil)
        #expect(member.track.leaseSetAt == nil)
        #expect(stage.cluster.violations == [])
    }

    @Test func whoComesBackLeadsAgain() throws {
        let stage = ClusterStage()
        try stage.lead()
        stage.member.crash()
        #expect(stage.member.lastPublished == nil)
        #expect(!stage.member.hasShownAll)
        try stage.lead()
        #expect(stage.member.lastPublished != nil)
        #expect(stage.cluster.violations == [])
    }

    // MARK: Watching

    @Test func whatItAppendsAndWhatHappensToItIsTold() throws {
        let stage = ClusterStage(keepsTrace: true)
        try stage.lead()
        try stage.publish()
        let notes = stage.cluster.simulation.trace.flatMap(\.notes)
        let position = try #require(stage.member.replica?.status.position)
        for sequence in 1...position.sequence {
            #expect(notes.contains("0: appends \(position.epoch)/\(sequence)"))
        }
        #expect(notes.contains { $0.hasPrefix("0: leading") })
        let marks = stage.marks()
        #expect(marks["leading"] == 1)
        #expect(marks["watcher reset joined"] ?? 0 > 0)
        #expect(marks["reader told"] ?? 0 > 0)
    }

    @Test func whoAppendsWithoutALeaseIsFound() throws {
        let stage = ClusterStage()
        try stage.lead()
        stage.member.publish(1)
        let isFound = stage.run {
            // Also where it is renewed meanwhile.
            stage.member.track.leaseSetAt = nil
            return !stage.cluster.violations.isEmpty
        }
        #expect(isFound)
        #expect(stage.cluster.violations.first?.guarantee == "One Writer")
    }

    // MARK: Dying and closing

    @Test func whoDiesWritingIsDyingUntilItIsDead() {
        let stage = ClusterStage()
        let member = stage.member
        member.start()
        #expect(!member.isDying)
        member.crashWriting(calls: 0)
        #expect(!member.isDying, "not before it writes or reads")
        #expect(stage.run { member.isDying })
        member.crash()
        #expect(!member.isDying)
        member.start()
        #expect(!member.isDying)
    }

    @Test func whoIsCalmDoesNotDieWriting() throws {
        let stage = ClusterStage()
        stage.member.start()
        stage.member.crashWriting(calls: 3)
        stage.member.calm()
        try stage.lead()
        #expect(!stage.member.isDying)
    }

    @Test func whoIsClosedEndsByItself() throws {
        let stage = ClusterStage()
        try stage.lead()
        stage.member.close()
        #expect(stage.member.isAlive)
        #expect(stage.run { !stage.member.isAlive })
        #expect(stage.cluster.violations == [])
    }

    @Test func onlyWhoIsClosingIsEnded() {
        let stage = ClusterStage()
        stage.member.start()
        stage.member.endClosing()
        #expect(stage.member.isAlive)
        stage.member.close()
        #expect(stage.member.isAlive)
        stage.member.endClosing()
        #expect(!stage.member.isAlive)
        stage.member.start()
        stage.member.endClosing()
        #expect(stage.member.isAlive, "its next life is not closing")
    }

    /// The end of closing belongs to the life that was closed.
    @Test func whoWasStartedAgainIsNotEndedByAnEarlierClose() throws {
        let stage = ClusterStage()
        stage.member.start()
        stage.member.close()
        stage.member.endClosing()
        try stage.lead()
        stage.wait(.seconds(1))
        #expect(stage.member.isAlive)
    }

    // MARK: Leading

    @Test func whoDoesNotStandNeverLeads() {
        let stage = ClusterStage(stands: false)
        stage.member.start()
        stage.wait(.seconds(3))
        #expect(!stage.member.isLeading)
        #expect(!stage.member.wantsToLead)
    }

    @Test func whoStandsLeadsUntilItResigns() {
        let stage = ClusterStage(stands: false)
        let member = stage.member
        member.start()
        member.stand()
        #expect(member.wantsToLead)
        #expect(stage.run { member.isLeading })
        member.resign()
        #expect(!member.wantsToLead)
        #expect(stage.run { !member.isLeading })
        stage.wait(.seconds(3))
        #expect(!member.isLeading)
        #expect(stage.cluster.violations == [])
    }

    @Test func whoStandsWhileItIsDeadLeadsInItsNextLife() throws {
        let stage = ClusterStage(stands: false)
        stage.member.stand()
        #expect(!stage.member.isAlive)
        #expect(stage.member.wantsToLead)
        try stage.lead()
    }

    @Test func onlyALeaderPublishes() throws {
        let stage = ClusterStage(members: 2)
        try stage.lead()
        let follower = stage.members[1]
        #expect(follower.lastPublished == nil)
        #expect(!follower.hasShownAll)
        for count in 1...3 {
            let last = try #require(stage.member.lastPublished)
            for member in stage.members { member.publish(count) }
            #expect(stage.run { stage.member.lastPublished?.number == last.number + count })
            #expect(stage.run { follower.track.lastMark == stage.member.lastPublished })
        }
        #expect(stage.cluster.violations == [])
    }

    // MARK: Description

    @Test func itSaysWhereItIs() throws {
        let stage = ClusterStage(visibility: 0)
        let member = stage.member
        #expect(member.description == "0 is not there")
        member.start()
        #expect(member.description == "0 is at nothing, is not current, shows nothing")
        try stage.lead()
        #expect(stage.run { member.replica?.status.isCurrent == true })
        let mark = try #require(member.lastPublished)
        let position = try #require(member.replica?.status.position)
        let place = "0 is at \(position.epoch)/\(position.sequence), leads"
        #expect(member.description == "\(place), shows \(mark)")
        member.process?.pause()
        #expect(member.description == "\(place), stands still, shows \(mark)")
        member.process?.goOn()
        member.close()
        #expect(member.description == "\(place), is closing, shows \(mark)")
    }

    @Test func itSaysHowManyRecordsAreNotInTheLog() throws {
        let stage = ClusterStage(visibility: 0)
        try stage.lead()
        #expect(!stage.member.description.contains("pending"))
        stage.member.log?.cutOff(.both)
        stage.member.publish(1)
        #expect(stage.run { stage.member.replica?.status.pendingRecords == 1 })
        #expect(stage.member.description.contains(", has 1 pending"))
    }
}
