extension Benchmark {
    /// Everything that is measured. Those that share the large collection stand together.
    static let all: [Benchmark] = Array(
        [
            changeSets, lookUps, loading, states, manySections, maps, validation, differences,
            algebra, encoding, publishing, replicating, emptySets, measuring, controllers, layouts,
            views,
            ranges,
            prepared, contention,
        ].joined()
    )
}
