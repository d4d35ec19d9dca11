import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import PipelineTesting

@Suite("The order of events")
struct EventOrderTests {
    private static func event(_ kind: PipelineEvent.Kind, _ number: Int = 1) -> PipelineEvent {
        PipelineEvent(
            kind: kind,
            pipeline: "run",
            submission: SubmissionID(rawValue: number),
            context: nil,
            timestamp: .zero
        )
    }

    private static func faults(
        _ kinds: [PipelineEvent.Kind],
        mayBeCancelled: Bool = false
    ) -> [String] {
        var order = EventOrder()
        return kinds.compactMap { order.take(event($0), mayBeCancelled: mayBeCancelled) }
    }

    private static let plain = EventOrder.life.filter {
        ![.rejected, .elementFailed, .layoutFailed, .viewRefused].contains($0)
    }

    @Test func whatAWholeLifeHasIsRight() {
        #expect(Self.faults(Self.plain) == [])
        #expect(Self.faults(EventOrder.life.filter { $0 != .rejected }) == [])
        #expect(Self.faults([.recordingStarted, .recordingFinished, .rejected, .completed]) == [])
        #expect(
            Self.faults([
                .accepted, .measuringStarted, .elementFailed, .elementFailed, .completed,
            ]) == []
        )
    }

    /// Of a whole life, any one event later or twice is a fault; with neighbours that may come in either
    /// order there are none.
    @Test func everyEventThatComesLateOrTwiceIsFound() {
        for (index, kind) in Self.plain.enumerated() {
            #expect(Self.faults(Self.plain + [kind]).first == "\(kind.rawValue) of #1 came twice")
            guard index + 1 < Self.plain.count else { continue }
            var swapped = Self.plain
            swapped.swapAt(index, index + 1)
            #expect(!Self.faults(swapped).isEmpty, "\(kind.rawValue)")
        }
        #expect(
            Self.faults([.accepted, .rejected]) == ["rejected of #1 came after it was accepted"]
        )
        #expect(Self.faults([.accepted, .handedOver]).first?.contains("without") == true)
    }

    @Test func onlyTheWorkOfWhatACloseCancelledMayEndLate() {
        let kinds: [PipelineEvent.Kind] = [
            .accepted, .completed, .measuringStarted, .measuringFinished,
        ]
        #expect(Self.faults(kinds, mayBeCancelled: true) == [])
        #expect(Self.faults(kinds).count == 2)
        #expect(Self.faults(kinds + [.handingOverStarted], mayBeCancelled: true).count == 1)
    }

    @Test func whatWasAcceptedAndNeverCompletesIsNamed() {
        var order = EventOrder()
        for number in [3, 1, 2] {
            _ = order.take(Self.event(.accepted, number), mayBeCancelled: false)
        }
        _ = order.take(Self.event(.completed, 1), mayBeCancelled: false)
        _ = order.take(Self.event(.recordingStarted, 4), mayBeCancelled: false)
        #expect(order.uncompleted.map(\.rawValue) == [2, 3])
    }
}
