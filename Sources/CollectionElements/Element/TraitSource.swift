import Synchronization

/// The traits that the elements of one controller take theirs from.
///
/// The generation goes up after the traits are in place, so whoever reads a generation and then the
/// traits has traits at least that new.
package final class TraitSource: Sendable {
    private let traits: Lock<Traits>
    private let counter = Atomic<UInt32>(0)

    package init(_ traits: Traits) { self.traits = Lock(traits) }

    /// Wraps around, so it is compared for being newer, not for being higher.
    package var generation: UInt32 { counter.load(ordering: .acquiring) }

    package var current: Traits { traits.withLock { $0 } }

    /// Replaces the traits; returns whether they were others.
    package func replace(with newTraits: Traits) -> Bool {
        let isChange = traits.withLock { traits in
            defer { traits = newTraits }
            return traits != newTraits
        }
        if isChange { counter.wrappingAdd(1, ordering: .acquiringAndReleasing) }
        return isChange
    }
}
