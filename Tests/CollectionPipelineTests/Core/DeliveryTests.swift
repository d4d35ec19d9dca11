import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Everything that a view can do to what it is given, in every order, up to a length.
@Suite("Delivery")
struct DeliveryTests {
    @Test func whateverAViewDoesEverySetIsShownAndCompletesOnceInOrder() {
        let walked = walk(Run(), length: Effort.number(10, usually: 8))
        #expect(walked.fault == nil)
        #expect(walked.count > 5_000)
    }

    /// The view has shown the first set and is not done with it, and holds two more.
    @Test func whateverAViewDoesWithSeveralSetsEachCompletesOnceInOrder() {
        var run = Run()
        let inputs: [Run.Input] = [
            .accepted, .accepted, .accepted, .handedOver, .handedOver, .handedOver, .deploys,
        ]
        for input in inputs {
            let isTaken = run.take(input)
            #expect(isTaken && run.fault == nil, "\(input)")
        }
        let walked = walk(run, length: Effort.number(7, usually: 5))
        #expect(walked.fault == nil)
        #expect(walked.count > 1_000)
    }

    /// The view holds a load and a set behind it, and may refuse loads.
    @Test func whateverAViewDoesThatRefusesLoadsWhatFollowsIsAReload() {
        var run = Run()
        run.loads = true
        for input in [Run.Input.accepted, .accepted, .handedOver, .handedOver] {
            let isTaken = run.take(input)
            #expect(isTaken && run.fault == nil, "\(input)")
        }
        let walked = walk(run, length: Effort.number(8, usually: 6))
        #expect(walked.fault == nil)
        #expect(walked.count > 1_000)
    }

    /// The view still holds a set when the reload that stands for it is shown without the view.
    @Test func whatIsReplacedStaysSoWhileSomethingEarlierWaits() {
        var delivery = Delivery<Item>()
        for generation in 1...3 {
            _ = delivery.accepted(Item(generation: generation))
            _ = delivery.handedOver(generation)
        }
        _ = delivery.deploying(1)
        _ = delivery.deployed(1)
        _ = delivery.deploying(2)
        delivery.rejected(2, reload: SubmissionID(rawValue: 4), reloadGeneration: 4)
        _ = delivery.accepted(Item(generation: 4, isReload: true))
        _ = delivery.handedOver(4)
        _ = delivery.deploying(4)
        let completed = delivery.deployed(4)
        #expect(completed.isEmpty)
        guard case .outdated = delivery.deploying(3) else {
            Issue.record("what was replaced may be shown after its reload")
            return
        }
        #expect(!delivery.isDeploying)
        let ended = delivery.finished(1).map(\.payload.generation)
        #expect(ended == [1, 2, 3])
    }

    /// The reload that is on its way stands for the rejected set and those behind it, and for no earlier one.
    @Test func whatWasShownBeforeARejectionEndsWhileTheReloadIsOnItsWay() {
        for end in [Run.Input.finishesFirst, .losesFirst] {
            var run = Run()
            let inputs: [Run.Input] = [
                .accepted, .accepted, .handedOver, .handedOver, .deploys, .rejects, end,
                .handedOver, .deploys, .finishesFirst,
            ]
            for (step, input) in inputs.enumerated() {
                let isTaken = run.take(input)
                #expect(isTaken && run.fault == nil, "\(input)")
                #expect(run.completed.count == (step < 6 ? 0 : step < 8 ? 1 : step < 9 ? 2 : 3))
            }
            #expect(run.completed.map(\.outcome) == ["deployed", "deployedByReload", "deployed"])
        }
    }

    @Test func whatIsShownTooEarlyIsToldWhatComesFirst() {
        var delivery = Delivery<Item>()
        for generation in 1...2 {
            _ = delivery.accepted(Item(generation: generation))
            let handOver = delivery.handedOver(generation)
            #expect(handOver == .give)
        }
        guard case .early(let expected) = delivery.deploying(2) else {
            Issue.record("the second may be shown first")
            return
        }
        #expect(expected == Item(generation: 1))
        #expect(!delivery.isDeploying)
        #expect(delivery.nextToDeploy == 1)
    }

    /// What a reload stands for was handed over with that, and not before.
    @Test func whatIsReplacedIsHandedOverWithItsReload() {
        var delivery = Delivery<Item>()
        for generation in 1...2 { _ = delivery.accepted(Item(generation: generation)) }
        _ = delivery.handedOver(1)
        _ = delivery.deploying(1)
        delivery.rejected(1, reload: SubmissionID(rawValue: 3), reloadGeneration: 3)
        _ = delivery.accepted(Item(generation: 3, isReload: true))
        _ = delivery.handedOver(2)
        #expect(!delivery.isHandedOver(through: 1) && !delivery.isHandedOver(through: 2))
        _ = delivery.handedOver(3)
        #expect(delivery.isHandedOver(through: 1) && delivery.isHandedOver(through: 3))
    }

    @Test func whoWaitsForTheHandOverWaitsForTheLastThatIsAccepted() {
        var delivery = Delivery<Item>()
        #expect(delivery.lastToHandOver == nil)
        for generation in 1...3 { _ = delivery.accepted(Item(generation: generation)) }
        for generation in 1...3 {
            #expect(delivery.lastToHandOver == 3)
            _ = delivery.handedOver(generation)
        }
        #expect(delivery.lastToHandOver == nil)
        let unknown = delivery.handedOver(4)
        #expect(unknown == .cancelled)
    }
}
