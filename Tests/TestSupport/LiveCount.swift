import Synchronization

/// A number that may be changed from anywhere, such as how many of something live.
package final class LiveCount: Sendable {
    private let count = Atomic<Int>(0)

    package init() {}

    package var value: Int { count.load(ordering: .sequentiallyConsistent) }

    package func add(_ difference: Int) { count.add(difference, ordering: .sequentiallyConsistent) }
}
