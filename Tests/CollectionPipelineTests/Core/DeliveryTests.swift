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
        let walked = walk(run, length: Effort.number(7, usually: 6))
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
            guard case .give(let others) = delivery.handedOver(generation) else {
                Issue.record("\(generation) is not given")
                return
            }
            #expect(others.isEmpty)
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

    /// A view that is full with one set, or with two.
    @Test(arguments: [1, 2])
    func whateverAViewDoesWhatItIsTooSlowForReachesItAsOne(_ limit: Int) {
        var start = Run(mergeLimit: limit)
        start.loads = true
        let walked = walk(start, length: Effort.number(9, usually: 7))
        #expect(walked.fault == nil)
        #expect(walked.count > 5_000)
        // It has one, another collects.
        var run = Run(mergeLimit: limit)
        for _ in 0..<limit {
            for input in [Run.Input.accepted, .handedOver] { _ = run.take(input) }
        }
        for _ in 0..<3 { _ = run.take(.accepted) }
        #expect(run.delivery.backlog == limit + 1 && run.heads.count == 2)
        let further = walk(run, length: Effort.number(8, usually: 6))
        #expect(further.fault == nil)
        #expect(further.count > 1_000)
    }

    /// What is collected is handed over with the last, when the view has room.
    @Test func whatIsCollectedIsHandedOverWithTheLast() {
        var delivery = Delivery<Item>(mergeLimit: 1)
        for generation in 1...4 {
            #expect(delivery.merges == (generation > 2))
            _ = delivery.accepted(Item(generation: generation))
        }
        #expect(delivery.backlog == 2)
        for generation in 1...4 { _ = delivery.handedOver(generation) }
        #expect(delivery.isHandedOver(through: 1))
        #expect((2...4).allSatisfy { !delivery.isHandedOver(through: $0) })
        #expect(delivery.allWaits.map(\.payload.generation) == [1, 2, 3, 4])
        #expect(delivery.allWaits.allSatisfy { $0.wait == .deploying })
        #expect(delivery.released() == nil)
        _ = delivery.deploying(1)
        _ = delivery.deployed(1)
        #expect(delivery.released()?.generation == 4)
        guard case .give(let others) = delivery.handedOver(4) else {
            Issue.record("it is not given")
            return
        }
        #expect(others.map(\.generation) == [2, 3])
        #expect((2...4).allSatisfy { delivery.isHandedOver(through: $0) })
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
        guard case .gone = delivery.handedOver(4) else {
            Issue.record("there is none")
            return
        }
    }
}
