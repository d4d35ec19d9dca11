import CollectionLayouts

extension UpdatePicture {
    /// Makes a picture of a validated update: what was recorded is what is marked. What merely made
    /// way for something else is not.
    ///
    /// The elements of sections that came or went are marked one by one, as far as they are in the
    /// pictures; reconfigurations are not marked, since nothing was replaced.
    ///
    /// Complexity: O((n + k) log k) for n elements in the pictures and k edits.
    public init(
        old: LayoutPicture,
        new: LayoutPicture,
        applying update: ValidatedChangeSet
    ) {
        self.init(old: old, new: new, edits: Self.edits(of: update, old, new))
    }

    /// Makes a picture from the identities of the elements alone: a key that only the old picture has
    /// was deleted, one that only the new one has was inserted, and one whose frame is another moved.
    ///
    /// This shows every way that an element goes on the screen, where the other shows what was recorded.
    /// Elements without a key are not marked. Of elements that share a key the last counts.
    ///
    /// Complexity: O(n) for n elements.
    public init(matching old: LayoutPicture, with new: LayoutPicture) {
        let oldIndexes = Self.indexes(of: old)
        let newIndexes = Self.indexes(of: new)
        var edits: [Edit] = []
        for (position, element) in old.elements.enumerated() {
            guard let key = element.key, oldIndexes[key] == position else { continue }
            guard let index = newIndexes[key] else {
                edits.append(.deleted(old: element.attributes.place))
                continue
            }
            let target = new.elements[index].attributes
            if target.frame != element.attributes.frame {
                edits.append(.moved(old: element.attributes.place, new: target.place))
            }
        }
        for (position, element) in new.elements.enumerated() {
            guard let key = element.key, oldIndexes[key] == nil, newIndexes[key] == position else {
                continue
            }
            edits.append(.inserted(new: element.attributes.place))
        }
        self.init(old: old, new: new, edits: edits)
    }

    private static func indexes(of picture: LayoutPicture) -> [String: Int] {
        var indexes: [String: Int] = [:]
        for (index, element) in picture.elements.enumerated() {
            if let key = element.key { indexes[key] = index }
        }
        return indexes
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

    /// The edits of sections, and of what came and went with them.
    private static func sectionEdits(
        of update: ValidatedChangeSet,
        _ old: LayoutPicture,
        _ new: LayoutPicture
    ) -> [Edit] {
        var gone: Set<Int> = []
        var came: Set<Int> = []
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
        for edit in update.sectionInsertions where edit.role == .insert {
            came.insert(edit.section)
        }
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
}
