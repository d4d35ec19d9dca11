import CollectionElements
import CollectionLayouts
import SimulatedView

/// How many of something there are; from any thread.
package final class LifeCount: Sendable {
    private let alive = Lock(0)

    package init() {}

    /// How many tokens are still there.
    package var numberAlive: Int { alive.withLock { $0 } }

    /// Counts for as long as somebody holds it.
    func makeToken() -> Token { Token(self) }

    final class Token: Sendable {
        private let count: LifeCount

        fileprivate init(_ count: LifeCount) {
            self.count = count
            count.alive.withLock { $0 += 1 }
        }

        deinit { count.alive.withLock { $0 -= 1 } }
    }
}

/// A view that is counted once it was shown.
protocol CountedView: AnyObject {
    var life: LifeCount.Token? { get set }
}

/// A cell that shows its node, and takes the size that this was measured with.
package class WatchedCell: CollectionViewCell, CountedView {
    var life: LifeCount.Token?
}

/// The header of a section.
package final class WatchedHeader: CollectionReusableView, CountedView {
    var life: LifeCount.Token?
}

/// A cell that wants a height of its own, which depends on its item and on a wish that may change.
package final class SizingCell: WatchedCell {
    var wish = 0

    package override func prepareForReuse() { wish = 0 }

    package override func preferredLayoutAttributesFitting(
        _ attributes: LayoutAttributes
    ) -> LayoutAttributes {
        guard let item = content?.model as? ModelItem else { return attributes }
        var wanted = attributes
        // The same whenever it is asked, or cell and layout would never agree.
        wanted.size.height = Double(1 + (item.id &* 7 &+ item.revision &+ wish) & 3)
        return wanted
    }
}
