/// What all elements of one controller have in common: the traits, and how a thread waits for another that
/// uses an element's node.
@usableFromInline
package final class ElementSurroundings: Sendable {
    package let traits: TraitSource
    package let makeSignal: @Sendable () -> any PipelineSignal

    package init(
        _ traits: Traits,
        makeSignal: @escaping @Sendable () -> any PipelineSignal = { SemaphoreSignal() }
    ) {
        self.traits = TraitSource(traits)
        self.makeSignal = makeSignal
    }
}
