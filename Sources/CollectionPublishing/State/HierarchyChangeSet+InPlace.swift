extension HierarchyChangeSet {
    /// The update of a state of `shape`, which has all of its places, where nothing comes, goes or moves.
    func inPlace(in shape: HierarchyShape) -> ValidatedChangeSet {
        do {
            let limits = ShapeLimits(sections: .max, items: .max)
            return try validated(from: shape, to: shape, limits: limits)
        } catch {
            fatalError("places that change must be places of the state: \(error)")
        }
    }
}
