import CollectionPipeline

/// What benchmarks share: how much to measure, and the one large collection that several of them use.
final class Workbench {
    let scale: Scale

    /// Told what happens in the pipelines that are measured; without one, as figures are taken, they read
    /// fewer clocks.
    let observer: (any PipelineObserver)?

    /// One at a time, because a million elements take most of a gigabyte.
    private var kept: LoadedCollection?

    init(_ scale: Scale, observer: (any PipelineObserver)? = nil) {
        self.scale = scale
        self.observer = observer
    }

    /// A collection of this size: the one that was used last, if it was as large when it was loaded.
    func collection(_ outline: LoadedCollection.Outline) throws -> LoadedCollection {
        if let kept, kept.outline == outline { return kept }
        try clear()
        let collection = try LoadedCollection(outline, observer: observer)
        kept = collection
        return collection
    }

    func million() throws -> LoadedCollection { try collection(scale.million) }

    /// Gives the large collection up, and returns when it is gone.
    func clear() throws {
        guard let ended = kept?.ended else { return }
        kept = nil
        try ended.waitUntilGone()
    }

    // MARK: Repeating

    /// Calls `body` once for warming up, and then as often as said.
    func samples(_ repetitions: Repetitions, _ body: () throws -> Double) rethrows -> Samples {
        _ = try body()
        var values: [Double] = []
        for _ in 0..<scale.count(repetitions) { values.append(try body()) }
        return Samples(values)
    }

    /// Measures two things in turns, so that what the machine does meanwhile happens to both.
    func samples(
        _ repetitions: Repetitions,
        _ value: () throws -> Double,
        over reference: () throws -> Double
    ) rethrows -> Measurement {
        _ = try (value(), reference())
        var (values, references): ([Double], [Double]) = ([], [])
        for _ in 0..<scale.count(repetitions) {
            values.append(try value())
            references.append(try reference())
        }
        return Measurement(Samples(values), over: Samples(references))
    }
}
