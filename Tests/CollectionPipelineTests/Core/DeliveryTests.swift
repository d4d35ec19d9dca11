import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Everything that a view can do to what it is given, in every order, up to a length, and at random for longer.
@Suite("Delivery")
struct DeliveryTests {
    /// Where a walk begins, how far it goes, and at how many sets the view is full.
    struct Start: Sendable, CustomTestStringConvertible {
        var limit: Int?
        var loads = false
        var inputs: [Run.Input] = []
        let length: Int
        var testDescription: String { "\(inputs), limit \(limit ?? 0), loads \(loads)" }
    }

    @Test(arguments: [
        Start(length: Effort.number(8, usually: 5)),
        // The view has shown the first set and is not done with it, and holds two more.
        Start(
            inputs: [
                .accepted, .accepted, .accepted, .handedOver, .handedOver, .handedOver, .deploys,
            ],
            length: Effort.number(5, usually: 4)
        ),
        // The view holds a load and a set behind it, and may refuse loads.
        Start(
            loads: true,
            inputs: [.accepted, .accepted, .handedOver, .handedOver],
            length: Effort.number(5, usually: 4)
        ),
        // What the view has no room for is merged: it has one or two, and another collects.
        Start(limit: 1, loads: true, length: Effort.number(7, usually: 5)),
        Start(
            limit: 1,
            inputs: [.accepted, .handedOver, .accepted, .accepted, .accepted],
            length: Effort.number(6, usually: 5)
        ),
        Start(
            limit: 2,
            loads: true,
            inputs: [
                .accepted, .handedOver, .accepted, .handedOver, .accepted, .accepted, .accepted,
            ],
            length: Effort.number(6, usually: 4)
        ),
    ])
    func whateverAViewDoesEverySetIsShownAndCompletesOnceInOrder(_ start: Start) {
        var run = Run(mergeLimit: start.limit)
        run.loads = start.loads
        for input in start.inputs {
            let isTaken = run.take(input)
            #expect(isTaken && run.fault == nil, "\(input): \(run.fault ?? "not taken")")
        }
        let walked = walk(run, length: start.length)
        #expect(walked.fault == nil)
        #expect(walked.count > 100)
        #expect(wander(run, seeds: Effort.number(1_000, usually: 40), steps: 40) == nil)
    }
}
