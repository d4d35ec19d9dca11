import SimulatedView

/// Items that want any size at all.
final class OddSource: CollectionViewDataSource, LayoutMetrics {
    var counts: [Int] = []
    var sizes: [Size] = [Size(width: 20, height: 20)]

    private func size(_ path: ItemPath) -> Size {
        sizes[abs(path.item &+ path.section) % sizes.count]
    }

    func numberOfSections(in collectionView: SimulatedCollectionView) -> Int { counts.count }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        numberOfItemsInSection section: Int
    ) -> Int { counts[section] }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        cellForItemAt path: ItemPath
    ) throws -> CollectionViewCell {
        let cell = try collectionView.dequeueReusableCell(withReuseIdentifier: "cell", for: path)
        (cell as? OddCell)?.wanted = size(path)
        return cell
    }

    func size(ofItemAt path: ItemPath) -> Size? { path.item % 3 == 0 ? size(path) : nil }

    final class OddCell: CollectionViewCell {
        var wanted = Size.zero

        override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes)
            -> LayoutAttributes
        {
            var preferred = attributes
            preferred.size = wanted
            return preferred
        }
    }
}
