import CollectionChanges
import PipelineTestSupport

@testable import CollectionPublishing

/// Publishes updates as a leader's controller would.
final class StagedSource {
    let hub: UpdateHub
    private var shape: HierarchyShape
    /// The version number of the last update.
    private(set) var generation = 1

    convenience init(_ state: PublishedState, _ environment: any PipelineEnvironment) {
        self.init(environment)
        load(state)
    }

    /// Makes a source that has not loaded yet.
    init(_ environment: any PipelineEnvironment) {
        hub = UpdateHub(environment: environment)
        shape = .empty
    }

    func load(_ state: PublishedState) {
        shape = state.shape
        let reload = ValidatedChangeSet.reloadingData(
            from: .empty,
            to: shape,
            animation: .automatic
        )
        hub.publish(
            RenderedUpdate(reload, to: 1) {
                state.item(at: $0)?.payload
            } header: {
                state.section(at: $0)?.payload
            }
        )
    }

    /// Publishes an update that changes nothing.
    func touch() {
        generation += 1
        hub.publish(RenderedUpdate(.unchanged(shape), to: generation) { _ in nil })
    }

    func publish(_ random: inout SeededGenerator) {
        let drawn = RandomUpdate(from: shape, &random, rate: 0.2)
        let limits = ShapeLimits()
        guard
            let update = try? drawn.changes.validated(
                from: shape,
                to: drawn.newShape,
                limits: limits
            )
        else { return }
        generation += 1
        shape = drawn.newShape
        let mark = random.next(below: 1 << 30)
        hub.publish(
            RenderedUpdate(update, to: generation) {
                PublishedPayload(utf8: "item \($0) of \(mark)")
            } header: {
                PublishedPayload(utf8: "section \($0) of \(mark)")
            }
        )
    }
}
