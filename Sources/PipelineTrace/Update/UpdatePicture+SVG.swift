import CollectionLayouts

extension UpdatePicture {
    /// The picture as an SVG document: the moment before on the left, the moment after on the right.
    ///
    /// What came, went, was replaced or moved has an outline, a pattern and a badge of its own; arrows lead
    /// from old places to new ones, with the number of the move at both ends. The title is that of the
    /// old picture. All else is as with ``LayoutPicture/svg(style:)``.
    ///
    /// Complexity: O(n log n + k) for n elements and k edits, and O(n) for each section that moved or was reloaded.
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
