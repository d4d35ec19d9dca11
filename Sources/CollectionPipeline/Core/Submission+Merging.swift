import CollectionChanges
import CollectionElements

// With a full backlog sets may reach the view as one.

extension Submission {
    /// What the view is to do: the edits, with those of the sets that are part of this one, or a reload in their place.
    var delivered: Delivered {
        merged.withLock { $0 }
            ?? Delivered(
                update: update,
                oldMap: oldMap,
                isAnimated: isAnimated,
                remeasuredPlaces: remeasuredPlaces
            )
    }

    /// Takes in those that reach the view as part of this one; main lane.
    ///
    /// The view animates where one of them is to be animated.
    ///
    /// - Parameter earlier: what was accepted right before it, in order, none of it seen by the view.
    /// - Complexity: O(k log k) for all their edits together.
    func merge(_ earlier: [Submission]) {
        guard let first = earlier.first else { return }
        let all = earlier + [self]
        // Each starts where the one before it ends, so that they compose.
        let update =
            (try? ValidatedChangeSet(composing: all.lazy.map(\.update)))
            ?? .reloadingData(from: first.oldMap.shape, to: newMap.shape)
        let delivered = Delivered(
            update: update,
            oldMap: first.oldMap,
            isAnimated: all.contains(where: \.isAnimated),
            remeasuredPlaces: places(
                of: all.lazy.flatMap { $0.remeasured + $0.asked },
                in: first.oldMap
            )
        )
        merged.withLock { $0 = delivered }
    }

    /// Where the elements of `contents` are now: of those that the view has already, items first, ascending.
    private func places(
        of contents: some Sequence<ElementContent>,
        in oldMap: ElementMap
    ) -> [ElementPlace] {
        let places = Set(
            contents.compactMap { content -> ElementPlace? in
                let element = content.element
                guard let path = newMap.path(of: element), oldMap.path(of: element) != nil else {
                    return nil
                }
                return ElementPlace(path: path, kind: element.kind)
            }
        )
        return places.sorted { one, other in
            guard (one.kind == nil) == (other.kind == nil) else { return one.kind == nil }
            return one.path == other.path
                ? "\(one)" < "\(other)" : one.path < other.path
        }
    }
}
