import SimulatedView

/// A cell that shows a text and can prefer another height than the layout gives it.
class TextCell: CollectionViewCell {
    var text = ""
    /// Returns the preferred height for the offered height; `nil` accepts the offered height.
    var preferredHeight: (Double) -> Double? = { _ in nil }
    private(set) var numberOfReuses = 0
    /// The places of all attributes that were applied to the cell.
    private(set) var applied: [LayoutPlace] = []

    override func prepareForReuse() {
        text = ""
        numberOfReuses += 1
    }

    override func apply(_ attributes: LayoutAttributes) { applied.append(attributes.place) }

    override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes)
        -> LayoutAttributes
    {
        var preferred = attributes
        if let height = preferredHeight(attributes.size.height) { preferred.size.height = height }
        return preferred
    }
}

/// A header that shows a text.
final class TextHeader: CollectionReusableView {
    var text = ""
}

/// A decoration without content.
final class Backdrop: CollectionReusableView {}

/// A data source of views that shows texts in sections.
final class RowSource: CollectionViewDataSource {
    var sections: [[String]]
    /// Returns the preferred height of a text's cell; `nil` accepts the layout's height.
    var preferredHeights: (String) -> Double? = { _ in nil }
    /// Replaces the dequeued cell.
    var madeCell: ((SimulatedCollectionView, ItemPath) throws -> CollectionViewCell)?
    /// Called at the beginning of every data source method.
    var onCall: (SimulatedCollectionView) -> Void = { _ in }
    /// Counts that the data source returns instead of the real ones.
    var claimedSections: Int?
    var claimedItems: (Int) -> Int? = { _ in nil }

    init(_ sections: [[String]]) { self.sections = sections }

    func numberOfSections(in collectionView: SimulatedCollectionView) -> Int {
        onCall(collectionView)
        return claimedSections ?? sections.count
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        numberOfItemsInSection section: Int
    ) -> Int {
        onCall(collectionView)
        return claimedItems(section) ?? sections[section].count
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        cellForItemAt path: ItemPath
    ) throws -> CollectionViewCell {
        onCall(collectionView)
        if let madeCell { return try madeCell(collectionView, path) }
        let cell = try collectionView.dequeueReusableCell(withReuseIdentifier: "row", for: path)
        if let cell = cell as? TextCell {
            let text = sections[path.section][path.item]
            cell.text = text
            cell.preferredHeight = { [preferredHeights] _ in preferredHeights(text) }
        }
        return cell
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        viewForSupplementaryElementOfKind kind: SupplementaryKind,
        at path: ItemPath
    ) throws -> CollectionReusableView {
        onCall(collectionView)
        return try collectionView.dequeueReusableSupplementaryView(
            ofKind: kind,
            withReuseIdentifier: "header",
            for: path
        )
    }
}
