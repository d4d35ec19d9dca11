import SimulatedView

/// A cell that shows a text and may want another height than it is given.
class TextCell: CollectionViewCell {
    var text = ""
    /// The height it wants, given what it is offered; nil for that.
    var wish: (Double) -> Double? = { _ in nil }
    private(set) var numberOfReuses = 0
    /// The places it was told of.
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
        if let height = wish(attributes.size.height) { preferred.size.height = height }
        return preferred
    }
}

/// A header that shows a text.
final class TextHeader: CollectionReusableView {
    var text = ""
}

/// A decoration, which shows nothing.
final class Backdrop: CollectionReusableView {}

/// Texts in sections, as a data source of views.
final class RowSource: CollectionViewDataSource {
    var sections: [[String]]
    /// The height that the cell of a text wants; nil for that which it is given.
    var wishes: (String) -> Double? = { _ in nil }
    /// In place of dequeuing a cell.
    var madeCell: ((SimulatedCollectionView, ItemPath) throws -> CollectionViewCell)?
    /// Called whenever something is asked for.
    var onQuestion: (SimulatedCollectionView) -> Void = { _ in }
    /// Answers instead of the counts there are.
    var claimedSections: Int?
    var claimedItems: (Int) -> Int? = { _ in nil }

    init(_ sections: [[String]]) { self.sections = sections }

    func numberOfSections(in collectionView: SimulatedCollectionView) -> Int {
        onQuestion(collectionView)
        return claimedSections ?? sections.count
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        numberOfItemsInSection section: Int
    ) -> Int {
        onQuestion(collectionView)
        return claimedItems(section) ?? sections[section].count
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        cellForItemAt path: ItemPath
    ) throws -> CollectionViewCell {
        onQuestion(collectionView)
        if let madeCell { return try madeCell(collectionView, path) }
        let cell = try collectionView.dequeueReusableCell(withReuseIdentifier: "row", for: path)
        if let cell = cell as? TextCell {
            let text = sections[path.section][path.item]
            cell.text = text
            cell.wish = { [wishes] _ in wishes(text) }
        }
        return cell
    }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        viewForSupplementaryElementOfKind kind: SupplementaryKind,
        at path: ItemPath
    ) throws -> CollectionReusableView {
        onQuestion(collectionView)
        return try collectionView.dequeueReusableSupplementaryView(
            ofKind: kind,
            withReuseIdentifier: "header",
            for: path
        )
    }
}
