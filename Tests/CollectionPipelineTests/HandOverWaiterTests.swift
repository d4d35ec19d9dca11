import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Those who wait until what was accepted so far is handed over.
@Suite("Waiting for the hand-over", .endsHangs)
struct HandOverWaiterTests {
    private struct End: Equatable {
        let name: String
        let received: Int
    }

    /// Two after each of some sets, so that some have to wait on while others go.
    @Test(arguments: Substrate.allCases, 1...4)
    func eachGoesOnWithItsSetAndThoseOfOneSetInTheirOrder(
        _ substrate: Substrate,
        _ count: Int
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        let ends = Journal<End>()
        try await scene.onMain { controller in
            for number in 1...count {
                try controller.reloadData(completion: nil)
                for letter in ["a", "b"] {
                    controller.core.whenHandedOver {
                        let received = scene.view.received.count
                        ends.append(End(name: "\(number)\(letter)", received: received))
                    }
                }
            }
        }
        let expected = (1...count).flatMap { number in
            ["a", "b"].map { End(name: "\(number)\($0)", received: number) }
        }
        await ends.values(count: 1)
        await scene.settle()
        #expect(ends.values == expected)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aCloseThatCancelsLetsAllGoOnInTheirOrder(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let ends = Journal<Int>()
        try await scene.onMain { controller in
            for number in 0..<4 {
                if number.isMultiple(of: 2) { try controller.reloadData(completion: nil) }
                controller.core.whenHandedOver { ends.append(number) }
            }
            controller.core.close(draining: false, deadlineNanoseconds: nil, nil)
        }
        await scene.close()
        #expect(ends.values == [0, 1, 2, 3])
    }
}
