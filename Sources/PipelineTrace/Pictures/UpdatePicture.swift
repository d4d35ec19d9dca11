import CollectionLayouts

/// A picture of an update: the layout before it, the layout after it, and the edits.
///
/// ``svg(style:)`` draws the two layouts side by side. Each kind of edit has its own mark, and an
/// arrow leads from the old place of each moved element to its new place.
///
/// ```swift
/// let update = try changes.validated(from: [3, 1], to: [2, 2])
/// let picture = UpdatePicture(old: before, new: after, applying: update)
/// let text = picture.svg()
/// ```
///
/// Shape: places in ``old`` are in the view's index space before the update, places in ``new`` in
/// the one after it.
///
/// Threading: a value, usable anywhere.
public struct UpdatePicture: Hashable, Sendable {
    /// The layout before the update.
    public var old: LayoutPicture

    /// The layout after the update.
    public var new: LayoutPicture

    /// The edits, in the order in which moves are numbered.
    public var edits: [Edit]

    /// One edit of an element, or of a section as a whole.
    @nonexhaustive
    public enum Edit: Hashable, Sendable {
        /// The element was inserted.
        case inserted(new: LayoutPlace)
        /// The element was deleted.
        case deleted(old: LayoutPlace)
        /// The element was replaced.
        case reloaded(old: LayoutPlace, new: LayoutPlace)
        /// The element was moved.
        case moved(old: LayoutPlace, new: LayoutPlace)
        /// The section was moved, with everything in it.
        case movedSection(old: Int, new: Int)
        /// The section was replaced, with all its elements that have no edit of their own.
        case reloadedSection(old: Int, new: Int)
    }

    /// Creates a picture of known edits. Edits of places that are not in the pictures are left out,
    /// and a note reports how many.
    public init(old: LayoutPicture, new: LayoutPicture, edits: [Edit]) {
        self.old = old
        self.new = new
        self.edits = edits
    }
}

extension UpdatePicture {
    /// Creates a picture of a validated update, with marks for the recorded edits. Elements that
    /// only shift because of other edits are not marked.
    ///
    /// If a section was inserted or deleted, each of its elements in the pictures is marked.
    /// Reconfigurations are not marked, because they replace nothing.
    ///
    /// Complexity: O((n + k) log k) for n elements in the pictures and k edits.
    public init(
        old: LayoutPicture,
        new: LayoutPicture,
        applying update: ValidatedChangeSet
    ) {
        self.init(old: old, new: new, edits: Self.edits(of: update, old, new))
    }

    private static func edits(
        of update: ValidatedChangeSet,
        _ old: LayoutPicture,
        _ new: LayoutPicture
    ) -> [Edit] {
        var edits: [Edit] = []
        for edit in update.itemRemovals.reversed() {
            switch (edit.role, edit.associatedWith) {
            case (.move, let target?):
                edits.append(.moved(old: .cell(edit.path), new: .cell(target)))
            case (.reload, let target?):
                edits.append(.reloaded(old: .cell(edit.path), new: .cell(target)))
            default: edits.append(.deleted(old: .cell(edit.path)))
            }
        }
        for edit in update.itemInsertions where edit.role == .insert {
            edits.append(.inserted(new: .cell(edit.path)))
        }
        edits += sectionEdits(of: update, old, new)
        for reload in update.supplementaryReloads {
            guard let oldSection = update.oldSection(for: reload.newSection) else { continue }
            let path = ItemPath(section: oldSection, item: 0)
            let newPath = ItemPath(section: reload.newSection, item: 0)
            let category = ElementCategory.supplementary(reload.kind)
            edits.append(
                .reloaded(old: LayoutPlace(category, path), new: LayoutPlace(category, newPath))
            )
        }
        return edits
    }

    /// Returns the edits of sections, and of the elements that were inserted or deleted with them.
    private static func sectionEdits(
        of update: ValidatedChangeSet,
        _ old: LayoutPicture,
        _ new: LayoutPicture
    ) -> [Edit] {
        var gone: Set<Int> = []
        var edits: [Edit] = []
        for edit in update.sectionRemovals.reversed() {
            switch (edit.role, edit.associatedWith) {
            case (.move, let target?):
                edits.append(.movedSection(old: edit.section, new: target))
            case (.reload, let target?):
                edits.append(.reloadedSection(old: edit.section, new: target))
            default: gone.insert(edit.section)
            }
        }
        let came = Set(update.sectionInsertions.filter { $0.role == .insert }.map(\.section))
        let removed = Set(update.itemRemovals.map(\.path))
        let inserted = Set(update.itemInsertions.map(\.path))
        for place in old.elements.map(\.attributes.place) where gone.contains(place.path.section) {
            if place.category == .cell, removed.contains(place.path) { continue }
            edits.append(.deleted(old: place))
        }
        for place in new.elements.map(\.attributes.place) where came.contains(place.path.section) {
            if place.category == .cell, inserted.contains(place.path) { continue }
            edits.append(.inserted(new: place))
        }
        return edits
    }

    /// Returns the picture as an SVG document, with the layout before the update on the left and
    /// the layout after it on the right.
    ///
    /// Inserted, deleted, reloaded and moved elements each have their own outline, pattern and
    /// badge. Arrows lead from old places to new ones, with the number of the move at both ends.
    /// The title is that of the old picture. Everything else is as in
    /// ``LayoutPicture/svg(style:)``.
    ///
    /// Complexity: O(n log n + k) for n elements and k edits, and O(n) for each section that was
    /// moved or reloaded.
    public func svg(style: PictureStyle = PictureStyle()) -> String {
        var (before, after) = (PicturePanel(old), PicturePanel(new))
        var arrows: [(old: Rect, new: Rect)] = []
        var moves = 0
        for edit in edits {
            switch edit {
            case .inserted(let place): _ = after.mark(place, .inserted)
            case .deleted(let place): _ = before.mark(place, .deleted)
            case .reloaded(let oldPlace, let newPlace):
                _ = before.mark(oldPlace, .reloaded)
                _ = after.mark(newPlace, .reloaded)
            case .moved(let oldPlace, let newPlace):
                moves += 1
                let source = before.mark(oldPlace, .moved, number: moves)
                let target = after.mark(newPlace, .moved, number: moves)
                if let source, let target { arrows.append((source, target)) }
            case .movedSection(let oldSection, let newSection):
                moves += 1
                let source = before.markMove(ofSection: oldSection, number: moves)
                let target = after.markMove(ofSection: newSection, number: moves)
                if let source, let target { arrows.append((source, target)) }
            case .reloadedSection(let oldSection, let newSection):
                before.markReload(ofSection: oldSection)
                after.markReload(ofSection: newSection)
            }
        }
        let sheet = PictureSheet(
            title: old.title,
            panels: [before, after],
            arrows: arrows,
            style: style
        )
        return sheet.svg()
    }
}
