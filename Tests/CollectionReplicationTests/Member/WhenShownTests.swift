import CollectionElements
import CollectionPublishing
import PipelineTestSupport
import Testing

@testable import CollectionReplication
@testable import PipelineTesting

/// Who waits until what was published is shown, as durable as it is promised.
@Suite("Waiting until something is shown", .endsHangs)
struct WaitingTests {
    /// What somebody who waits was told: nothing yet, a version, or that it will not be.
    final class Waiter: Sendable {
        private let told = Lock<[PublishedVersion?]>([])

        var answers: [PublishedVersion?] { told.withLock { $0 } }

        func wait(for number: Int, _ member: StagedMember) {
            member.replica.whenShown(source: number) { version in
                self.told.withLock { $0.append(version) }
            }
        }
    }

    private func stage(
        _ visibility: ReplicationVisibility = .afterBroker
    ) -> (ReplicaStage, StagedMember, StagedMember) {
        let stage = ReplicaStage()
        let first = stage.add("first", journal: MemoryJournalStorage()) {
            $0.visibility = visibility
        }
        let second = stage.add("second")
        first.lead()
        stage.run()
        first.publish(3)
        stage.run()
        return (stage, first, second)
    }

    @Test(arguments: [ReplicationVisibility.immediately, .afterLocalSync, .afterBroker])
    func whoWaitsIsToldOnceFromWhichVersionOnEverybodyHasIt(
        _ visibility: ReplicationVisibility
    ) throws {
        let (stage, first, second) = stage(visibility)
        for _ in 0..<10 {
            first.publish()
            let number = try #require(first.source?.generation)
            let waiter = Waiter()
            waiter.wait(for: number, first)
            stage.run(.seconds(1))
            #expect(waiter.answers == [first.version])
            #expect(second.version == first.version && second.state == first.state)
            // What is there already is told at once.
            waiter.wait(for: number, first)
            waiter.wait(for: number - 1, first)
            stage.settle()
            #expect(waiter.answers == [first.version, first.version, first.version])
        }
    }

    @Test func whoWaitsForTheBrokerWaitsAsLongAsItIsDown() throws {
        let (stage, first, _) = stage()
        stage.broker.stop()
        stage.run()
        first.publish()
        let waiter = Waiter()
        waiter.wait(for: try #require(first.source?.generation), first)
        stage.run()
        #expect(waiter.answers == [])
        stage.broker.start()
        stage.run()
        #expect(waiter.answers == [first.version])
    }

    @Test func whoWaitsForWhatIsNotShownAnyMoreIsToldSo() throws {
        for ending in 0..<3 {
            let (stage, first, second) = stage()
            stage.broker.stop()
            stage.run()
            first.publish()
            let waiter = Waiter()
            waiter.wait(for: try #require(first.source?.generation), first)
            stage.settle()
            switch ending {
            case 0: first.replica.resign()
            case 1: first.replica.close()
            default: first.replica.publish(from: StagedSource(first.state, environment(stage)).hub)
            }
            stage.run()
            #expect(waiter.answers == [nil], "\(ending)")
            // Nor does who follows show what it publishes.
            waiter.wait(for: 0, second)
            stage.settle()
            #expect(waiter.answers == [nil, nil])
        }
    }

    /// The numbers of one source are not those of another.
    @Test func whatAnEarlierSourceHasShownIsNothingToWhoAsksNow() throws {
        for ending in 0..<2 {
            let (stage, first, _) = stage()
            let number = try #require(first.source?.generation)
            let waiter = Waiter()
            waiter.wait(for: number, first)
            stage.settle()
            #expect(waiter.answers == [first.version])
            stage.broker.stop()
            stage.run(.milliseconds(100))
            if ending == 0 {
                first.replica.resign()
            } else {
                first.replica.publish(from: StagedSource(first.state, environment(stage)).hub)
            }
            stage.settle()
            waiter.wait(for: number, first)
            stage.settle()
            #expect(waiter.answers.dropFirst() == (ending == 0 ? [nil] : []), "\(ending)")
        }
    }

    private func environment(_ stage: ReplicaStage) -> any PipelineEnvironment {
        stage.simulation.environment
    }

    @Test func aSecondSourceTakesThePlaceOfTheFirst() {
        let (stage, first, second) = stage()
        let old = first.source
        let next = StagedSource(first.state, environment(stage))
        first.replica.publish(from: next.hub)
        stage.run(.seconds(1))
        let (state, version) = (first.state, first.version)
        var random = SeededGenerator(seed: 9)
        old?.publish(&random)
        stage.run(.seconds(1))
        #expect(first.state == state && first.version == version)
        for _ in 0..<5 { next.publish(&random) }
        stage.run(.seconds(1))
        #expect(first.version.number > version.number)
        #expect(second.state == first.state)
        stage.checkConverged(leader: "first")
    }
}
