import Testing

@testable import CollectionPipeline

/// What single steps of a delivery lead to, each in a state that few runs come to.
@Suite("Steps of a delivery")
struct DeliveryStepTests {
    private typealias Item = DeliveryTests.Item

    /// So many sets, which were accepted and handed over.
    private func delivery(handedOver count: Int, mergeLimit: Int? = nil) -> Delivery<Item> {
        var delivery = Delivery<Item>(mergeLimit: mergeLimit)
        for generation in 1...count {
            _ = delivery.accepted(Item(generation: generation))
            _ = delivery.handedOver(generation)
        }
        return delivery
    }

    private func show(_ generation: Int, _ delivery: inout Delivery<Item>) {
        _ = delivery.deploying(generation)
        _ = delivery.deployed(generation)
    }

    /// The view rejects a set, and a reload is accepted that stands for it.
    private func reject(_ generation: Int, _ delivery: inout Delivery<Item>, reload: Int) {
        _ = delivery.deploying(generation)
        delivery.rejected(
            generation,
            reload: SubmissionID(rawValue: reload),
            reloadGeneration: reload
        )
        _ = delivery.accepted(Item(generation: reload, isReload: true))
    }

    @Test func atFirstNothingIsBeingShownAndNoReloadIsNeeded() {
        let delivery = Delivery<Item>()
        #expect(!delivery.isDeploying && !delivery.needsReload)
    }

    /// The first is shown, and the second behind it is over.
    @Test func whatIsShownAlreadyMayNotBeShownAgain() {
        var delivery = delivery(handedOver: 3)
        for generation in 1...2 { show(generation, &delivery) }
        _ = delivery.finished(2)
        for generation in 1...2 {
            guard case .outdated = delivery.deploying(generation) else {
                Issue.record("\(generation) may be shown again, or is too early")
                continue
            }
        }
        #expect(!delivery.isDeploying && delivery.nextToDeploy == 3)
    }

    @Test func onlyWhatAReloadStandsForIsHandedOverWithIt() {
        var delivery = delivery(handedOver: 2)
        show(1, &delivery)
        reject(2, &delivery, reload: 3)
        #expect(delivery.isHandedOver(through: 1), "it was shown before")
        #expect(!delivery.isHandedOver(through: 2))
        _ = delivery.accepted(Item(generation: 4))
        _ = delivery.handedOver(3)
        #expect(delivery.isHandedOver(through: 2))
        #expect(!delivery.isHandedOver(through: 4), "it comes after the reload")
    }

    /// The view rejects what it was showing when a close cancelled it.
    @Test func whatWasCancelledDoesNotWaitForAReload() {
        var delivery = delivery(handedOver: 1)
        _ = delivery.deploying(1)
        _ = delivery.cancelled()
        reject(1, &delivery, reload: 2)
        #expect(delivery.isHandedOver(through: 1) && !delivery.isHandedOver(through: 2))
    }

    /// The reload's turn may come before that of what was held.
    @Test func whatIsHeldIsHandedOverWithTheReloadThatStandsForIt() {
        var delivery = delivery(handedOver: 1, mergeLimit: 1)
        _ = delivery.accepted(Item(generation: 2))
        guard case .held = delivery.handedOver(2) else {
            Issue.record("it is not held")
            return
        }
        reject(1, &delivery, reload: 3)
        guard case .give(let others) = delivery.handedOver(3) else {
            Issue.record("the reload is not given")
            return
        }
        #expect(others.isEmpty)
        #expect(!delivery.isPreparing && delivery.lastToHandOver == nil)
        #expect(delivery.isHandedOver(through: 2))
        let released = delivery.released()
        #expect(released == Item(generation: 2))
        guard case .replaced = delivery.handedOver(2) else {
            Issue.record("it is given beside its reload")
            return
        }
    }

    /// The reload was shown at once, before the turn of what had been held behind a full view.
    @Test func whatAReloadHasShownIsNotGivenToTheViewAfterwards() {
        var delivery = delivery(handedOver: 2, mergeLimit: 2)
        _ = delivery.accepted(Item(generation: 3))
        guard case .held = delivery.handedOver(3) else {
            Issue.record("it is not held")
            return
        }
        show(1, &delivery)
        reject(2, &delivery, reload: 4)
        let released = delivery.released()
        #expect(released == Item(generation: 3))
        guard case .give = delivery.handedOver(4) else {
            Issue.record("the reload is not given")
            return
        }
        show(4, &delivery)
        guard case .gone = delivery.handedOver(3) else {
            Issue.record("it is given after the reload that stood for it")
            return
        }
        let ended = delivery.finished(1).map(\.payload.generation)
        #expect(ended == [1, 2, 3])
    }

    /// It is not given, so that it needs no room.
    @Test func whatIsReplacedIsNotHeldByAFullView() {
        var delivery = delivery(handedOver: 1, mergeLimit: 1)
        _ = delivery.accepted(Item(generation: 2))
        reject(1, &delivery, reload: 3)
        guard case .replaced = delivery.handedOver(2) else {
            Issue.record("it is held or given")
            return
        }
        let released = delivery.released()
        #expect(released == nil)
    }

    @Test func whatTheViewLostHasItsTurnInTheOrderOfAcceptance() {
        var delivery = delivery(handedOver: 2)
        show(1, &delivery)
        delivery.lost([2])
        delivery.lost([1])
        #expect(delivery.losses == [1, 2])
        let first = delivery.nextLoss()
        #expect(first?.payload.generation == 1 && first?.isDeployed == true)
        let second = delivery.nextLoss()
        #expect(second?.payload.generation == 2 && second?.isDeployed == false)
    }
}
