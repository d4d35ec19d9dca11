import CollectionPipeline
import Dispatch

/// Many small controllers, each with a main lane of its own, loaded and idle.
final class ControllerFleet {
    private let controllers: [DataController<CountsSource>]
    /// Left when all are gone.
    let ended: DispatchGroup

    init(count: Int) throws {
        let ended = DispatchGroup()
        self.ended = ended
        controllers = (0..<count).map { _ in
            DataController(dataSource: CountsSource([100], lifetime: ended))
        }
        let outcomes = controllers.map { controller in
            let outcome = AwaitedOutcome()
            controller.lane.enqueue {
                outcome.ignore {
                    try controller.assumeIsolated().reloadData(completion: outcome.note)
                }
            }
            return outcome
        }
        for outcome in outcomes { try outcome.waitUntilDeployed() }
        // The turn of the lane that completed may still be ending.
        for controller in controllers {
            let idle = DispatchSemaphore(value: 0)
            controller.lane.enqueue { idle.signal() }
            idle.wait()
        }
    }

    /// Of all controllers.
    var elements: [CollectionElement] {
        controllers.flatMap { $0.visibleMap.items.lazy.map(\.element) }
    }

    /// What a controller takes without its elements.
    ///
    /// - Parameters:
    ///   - all: by how many bytes the heap grew for the fleet.
    ///   - kept: how many of them were left when only an array of the elements was.
    ///   - array: what that array takes itself.
    static func bytesEach(of count: Int, all: Int, kept: Int, array: Int) -> Double {
        let elements = kept - array
        return Double(all - elements) / Double(count)
    }
}
