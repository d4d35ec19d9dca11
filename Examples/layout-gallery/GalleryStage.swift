import CollectionLayouts
import PipelineTrace

/// Calls a layout as a view does, and takes pictures of it.
final class GalleryStage {
    let host: GalleryHost
    let layout: CollectionLayout

    /// Lays out a collection.
    init(
        _ layout: CollectionLayout,
        _ sections: [GallerySection],
        viewport: Size = Size(width: 320, height: 400),
        _ configure: (GalleryHost) -> Void = { _ in }
    ) {
        self.layout = layout
        host = GalleryHost(sections, viewport: viewport)
        configure(host)
        host.layout = layout
        layout.attach(to: host)
        layout.prepare()
    }

    /// A picture of everything; throws if the layout has met something that it could not use.
    func picture(_ title: String = "") throws -> LayoutPicture {
        if let error = layout.errors.first { throw error }
        var picture = LayoutPicture(bounds: host.bounds, contentSize: layout.contentSize)
        picture.title = title
        picture.insets = host.adjustedContentInset + host.safeAreaInsets + host.layoutMargins
        picture.isRightToLeft = host.isRightToLeft
        let everything = host.bounds.union(Rect(origin: .zero, size: layout.contentSize))
        picture.elements = layout.attributesForElements(in: everything).map { attributes in
            let text = host.text(at: attributes.place) ?? ""
            return PicturedElement(
                attributes,
                key: host.key(at: attributes.place),
                lines: PictureText.lines(of: text, width: attributes.size.width)
            )
        }
        return picture
    }

    /// Changes the viewport.
    func show(_ bounds: Rect) {
        if layout.shouldInvalidate(forBoundsChange: bounds) {
            let context = layout.invalidationContext(forBoundsChange: bounds)
            host.bounds = bounds
            layout.invalidate(with: context)
            layout.prepare()
        } else {
            host.bounds = bounds
        }
    }

    /// Scrolls, as far as the content goes.
    func scroll(to offset: Point) {
        let (content, size) = (layout.contentSize, host.bounds.size)
        let origin = Point(
            x: min(offset.x, max(0, content.width - size.width)),
            y: min(offset.y, max(0, content.height - size.height))
        )
        show(Rect(origin: origin, size: size))
    }

    // MARK: Updates

    /// Changes the collection and records how, lets the layout take that in, and pictures both states.
    func update(
        _ title: String = "",
        _ change: (inout HierarchyChangeSet, inout [GallerySection]) -> Void
    ) throws -> UpdatePicture {
        let before = try picture(title)
        var changes = HierarchyChangeSet()
        var sections = host.sections
        change(&changes, &sections)
        let update = try changes.validated(
            from: HierarchyShape(host.sections.map(\.items.count)),
            to: HierarchyShape(sections.map(\.items.count))
        )
        host.sections = sections
        let context = type(of: layout).invalidationContextClass.init()
        context.invalidatesDataSourceCounts = true
        layout.invalidate(with: context)
        layout.prepare(applying: update)
        _ = layout.contentSize
        layout.prepare(forUpdates: LayoutUpdateItem.items(of: update))
        let after = try picture(title)
        layout.finalizeUpdates()
        return UpdatePicture(old: before, new: after, applying: update)
    }

    /// Lets what is visible say how large it wants to be until all of it is; then pictures both states.
    func updateBySelfSizing(_ title: String = "") throws -> UpdatePicture {
        let before = try picture(title)
        // As a view does it: a round shows what the one before has moved into sight.
        for _ in 0..<15 where !resizeVisible() { break }
        return UpdatePicture(old: before, new: try picture(title), edits: [])
    }

    /// Whether something wanted another size.
    private func resizeVisible() -> Bool {
        var hasChanged = false
        for place in layout.attributesForElements(in: host.bounds).map(\.place) {
            guard place.category == .cell, let original = layout.attributes(for: place),
                let size = host.wantedSize(of: place)
            else { continue }
            var preferred = original
            preferred.size = size
            guard layout.shouldInvalidate(forPreferred: preferred, original: original) else {
                continue
            }
            let context = layout.invalidationContext(forPreferred: preferred, original: original)
            layout.invalidate(with: context)
            host.bounds.origin.x += context.contentOffsetAdjustment.x
            host.bounds.origin.y += context.contentOffsetAdjustment.y
            layout.prepare()
            hasChanged = true
        }
        return hasChanged
    }
}

extension LayoutUpdateItem {
    /// The edits of an update in the order in which layouts are told of them.
    static func items(of update: ValidatedChangeSet) -> [LayoutUpdateItem] {
        var (deletes, reloads, moves): ([Self], [Self], [Self]) = ([], [], [])
        for edit in update.itemTakeOuts.reversed() {
            switch (edit.role, edit.counterpart) {
            case (.reload, let new?): reloads.append(.reloadItem(old: edit.path, new: new))
            case (.move, let new?): moves.append(.moveItem(old: edit.path, new: new))
            default: deletes.append(.deleteItem(edit.path))
            }
        }
        for edit in update.sectionTakeOuts.reversed() {
            switch (edit.role, edit.counterpart) {
            case (.reload, let new?): reloads.append(.reloadSection(old: edit.section, new: new))
            case (.move, let new?): moves.append(.moveSection(old: edit.section, new: new))
            default: deletes.append(.deleteSection(edit.section))
            }
        }
        let inserts =
            update.itemPutIns.filter { $0.role == .insert }.map { Self.insertItem($0.path) }
            + update.sectionPutIns.filter { $0.role == .insert }
            .map { Self.insertSection($0.section) }
        return deletes + inserts + reloads + moves
    }
}
