import CollectionPipeline

/// What Dispatch alone costs of a change set: from the main lane to the editing lane, back to the main
/// serial queue, and a turn of its own for the completion.
final class BareHops: RoundTrips {
    private let main = EmulatedMainLane()
    private let editing = DispatchEnvironment().makeLane(label: "pipeline-benchmarks.editing")

    var isOnMain: Bool { main.isCurrent }

    func enqueue(_ work: @escaping @Sendable () -> Void) { main.enqueue(work) }

    func depart(_ arrived: @escaping @Sendable () -> Void) {
        editing.enqueue { [main] in
            main.enqueue {
                main.enqueue(arrived)
            }
        }
    }
}
