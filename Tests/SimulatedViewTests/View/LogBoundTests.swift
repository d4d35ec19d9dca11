import PipelineTestSupport
import Testing

@testable import SimulatedView

/// The log itself, against a list of everything.
@Suite("The bound of a log")
struct LogBoundTests {
    @Test(arguments: [-3, 0, 1, 2, 3, 10])
    func itHasTheNewestAndHoldsFewerThanTwiceItsCapacity(_ capacity: Int) throws {
        var log = ViewLog(capacity: capacity)
        var made = 0
        for number in 1...100 {
            func event() -> ViewEvent {
                made += 1
                return .postponed(waiting: number)
            }
            log.append(event())
            let expected = (1...number).suffix(max(0, capacity)).map(ViewEvent.postponed(waiting:))
            #expect(log.events == expected)
            let held = Mirror(reflecting: log).children.compactMap { $0.value as? [ViewEvent] }
            #expect(try #require(held.first).count <= max(0, 2 * capacity - 1))
        }
        #expect(made == (capacity > 0 ? 100 : 0), "what is not kept is not made")
        log.removeAll()
        #expect(log.events == [])
    }
}
