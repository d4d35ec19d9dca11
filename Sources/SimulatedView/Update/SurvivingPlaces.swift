import CollectionChanges
import CollectionLayouts

/// The mapping of places through an update, for elements that keep their identity.
///
/// Deleted and reloaded elements do not survive, nor do supplementary elements that are different
/// elements in the new content.
struct SurvivingPlaces {
    let changes: ValidatedChangeSet
    private let old: any ViewContent
    private let new: any ViewContent

    init(_ changes: ValidatedChangeSet, old: any ViewContent, new: any ViewContent) {
        self.changes = changes
        self.old = old
        self.new = new
    }

    /// Returns the old place of the cell at `place`; `nil` if the cell is new, or the view is not a
    /// cell.
    ///
    /// Complexity: O(log k).
    func oldPlace(of place: LayoutPlace) -> LayoutPlace? {
        place.category == .cell ? changes.formerPath(of: place.path).map(LayoutPlace.cell) : nil
    }

    /// Returns the new place of an element that serves as anchor, even if the update replaces it.
    ///
    /// Complexity: O(log k).
    func newAnchorPlace(of place: LayoutPlace) -> LayoutPlace? {
        if place.category == .cell { return changes.newPath(for: place.path).map(LayoutPlace.cell) }
        return changes.newSection(for: place.path.section).map {
            LayoutPlace(place.category, ItemPath(section: $0, item: place.path.item))
        }
    }

    /// Returns the effect of the update on an element; `nil` if the element is deleted.
    ///
    /// Complexity: O(log k).
    func effect(on place: LayoutPlace) -> ScrollAnchor.UpdateEffect? {
        guard let newPlace = newAnchorPlace(of: place) else { return nil }
        let section = changes.sectionRemoval(at: place.path.section)
        if section?.role == .move { return .moves }
        guard place.category == .cell else { return section == nil ? .stays : .isReloaded }
        if changes.itemRemoval(at: place.path)?.role == .move { return .moves }
        return changes.survivingPath(of: place.path) == newPlace.path ? .stays : .isReloaded
    }

    /// Returns the new place of a surviving element; `nil` if it does not survive.
    ///
    /// Complexity: O(log k) for k edits; for a supplementary element, also two look-ups in the
    /// content.
    func newPlace(of place: LayoutPlace) -> LayoutPlace? {
        guard let newPlace = changes.survivingPlace(of: place) else { return nil }
        // The cell of a surviving item shows the same element.
        if place.category == .cell { return newPlace }
        return old.element(at: place) === new.element(at: newPlace) ? newPlace : nil
    }
}

extension ValidatedChangeSet {
    /// Whether the change set inserts new items.
    var insertsItems: Bool {
        itemInsertions.contains { $0.role != .move }
            || sectionInsertions.contains { $0.role != .move && $0.newItemCount > 0 }
    }
}
