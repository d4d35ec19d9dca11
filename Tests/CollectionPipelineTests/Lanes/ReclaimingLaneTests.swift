import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("The lane for what large maps leave behind", .endsHangs)
struct ReclaimingLaneTests {
    /// Calls a hook, once, while it makes a lane.
    private final class HookedEnvironment: ForwardingEnvironment {
        let base: any PipelineEnvironment = DispatchEnvironment(workerCount: 1)
        let lanes = Journal<any Lane>()
        private let hook = Lock<(@Sendable () -> Void)?>(nil)

        func onMake(_ body: @escaping @Sendable () -> Void) { hook.withLock { $0 = body } }

        func makeLane(label: String) -> any Lane {
            let lane = base.makeLane(label: label)
            lanes.append(lane)
            let body = hook.withLock { hook in
                defer { hook = nil }
                return hook
            }
            body?()
            return lane
        }

        /// Which of the lanes the caller is on.
        var currentLane: Int? { lanes.values.firstIndex { $0.isCurrent } }
    }

    @Test func isMadeOnceHoweverManyMapsGo() async {
        let environment = HookedEnvironment()
        let reclaimer = Reclaimer(environment, label: "reclaiming")
        let releases = Journal<Int?>()
        #expect(environment.lanes.count == 0)
        for _ in 0..<3 { reclaimer.reclaim { releases.append(environment.currentLane) } }
        #expect(await releases.values(count: 3) == [0, 0, 0])
        #expect(environment.lanes.values.map(\.label) == ["reclaiming"])
    }

    /// Two maps that go at once make two lanes, of which one is used by both.
    @Test func isTheSameForMapsThatGoAtOnce() async {
        let environment = HookedEnvironment()
        let reclaimer = Reclaimer(environment, label: "reclaiming")
        let releases = Journal<Int?>()
        environment.onMake {
            reclaimer.reclaim { releases.append(environment.currentLane) }
        }
        for _ in 0..<2 { reclaimer.reclaim { releases.append(environment.currentLane) } }
        #expect(await releases.values(count: 3) == [1, 1, 1])
        #expect(environment.lanes.count == 2)
    }
}
