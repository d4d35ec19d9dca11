import CollectionElements

extension PipelineCore {
    /// Hands every node traits that are others than before; a step of its own, since nothing is measured.
    func traitsDidChange(to newTraits: Traits) {
        guard traits.replace(with: newTraits) else { return }
        // Elements between the two maps get theirs when they are made or deployed.
        visibleMap.forEachElement { $0.refreshTraits() }
        pendingMap.forEachElement { $0.refreshTraits() }
    }
}
