import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Telling events until the end")
struct EventGateTests {
    /// Every order of coming, going and shutting, of up to eight steps.
    @Test func whoComesLastOutOfAShutGateIsToldSoOnce() {
        func check(_ steps: [Int]) {
            let gate = EventGate()
            var (inside, isShut, ends) = (0, false, 0)
            for step in steps {
                switch step {
                case 0:
                    let isIn = gate.enter()
                    #expect(isIn == !isShut)
                    if isIn { inside += 1 }
                case 1 where inside > 0:
                    inside -= 1
                    let isLast = gate.leave()
                    #expect(isLast == (isShut && inside == 0))
                    if isLast { ends += 1 }
                case 2:
                    isShut = true
                    let isEmpty = gate.shut()
                    #expect(isEmpty == (inside == 0))
                default: continue
                }
            }
            #expect(ends <= 1)
        }
        func walk(_ steps: [Int]) {
            if steps.count == 7 { return check(steps) }
            for step in 0..<3 { walk(steps + [step]) }
        }
        walk([])
    }
}
