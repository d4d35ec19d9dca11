import CollectionLayouts

/// The layouts that set rows and lines alike, for tests of what they have in common. All read their sizes
/// from a ``ScriptedHost``.
enum LayoutEngine: CaseIterable {
    case flow
    case composed
    case list

    /// Those that set lines.
    static let flows: [LayoutEngine] = [.flow, .composed]

    /// - Parameter direction: lists are vertical in any case.
    func make(_ direction: ScrollDirection = .vertical) -> CollectionLayout {
        switch self {
        case .flow:
            let layout = FlowLayout()
            layout.scrollDirection = direction
            return layout
        case .composed: return ComposedLayout(scrollDirection: direction)
        case .list: return ListLayout()
        }
    }
}

extension CollectionLayout {
    /// The frames of a section's items, in order.
    func frames(ofSection section: Int = 0) -> [Rect] {
        var frames: [Rect] = []
        while let item = layoutAttributesForItem(at: ItemPath(section: section, item: frames.count))
        {
            frames.append(item.frame)
        }
        return frames
    }

    func frame(_ place: LayoutPlace) -> Rect? { layoutAttributes(for: place)?.frame }

    /// Does what a view does in an update of its host's sections.
    func update(
        _ host: ScriptedHost,
        to sections: [ScriptedSection],
        _ record: (inout HierarchyChangeSet) -> Void
    ) throws {
        var changes = HierarchyChangeSet()
        record(&changes)
        let shape = HierarchyShape(sections.map(\.itemCount))
        let update = try changes.validated(from: host.shape, to: shape)
        host.sections = sections
        let context = type(of: self).invalidationContextClass.init()
        context.invalidatesDataSourceCounts = true
        invalidateLayout(with: context)
        prepare(applying: update)
    }
}
