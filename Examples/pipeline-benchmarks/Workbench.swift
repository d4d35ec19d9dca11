/// What benchmarks share: how much to measure, and the one large collection that several of them use.
final class Workbench {
    let scale: Scale

    /// One at a time, because a million elements take most of a gigabyte.
    private var kept: LoadedCollection?

    init(_ scale: Scale) { self.scale = scale }

    /// A collection of this size: the one that was used last, if it was as large when it was loaded.
    func collection(sections: Int, itemsPerSection: Int) throws -> LoadedCollection {
        let outline = LoadedCollection.Outline(sections, itemsPerSection)
        if let kept, kept.outline == outline { return kept }
        try clear()
        let collection = try LoadedCollection(outline)
        kept = collection
        return collection
    }

    /// A million items in ten sections, which is what most figures speak of.
    func million() throws -> LoadedCollection {
        try collection(sections: 10, itemsPerSection: 100_000)
    }

    /// Gives the large collection up, and returns when it is gone.
    func clear() throws {
        guard let ended = kept?.ended else { return }
        kept = nil
        try ended.waitUntilGone()
    }

    // MARK: Repeating

    /// Calls `body` once for warming up, and then as often as said.
    func samples(_ count: Int, _ body: () throws -> Double) rethrows -> Samples {
        _ = try body()
        var values: [Double] = []
        for _ in 0..<count { values.append(try body()) }
        return Samples(values)
    }

    /// Measures two things in turns, so that what the machine does meanwhile happens to both.
    func samples(
        _ count: Int,
        _ value: () throws -> Double,
        over reference: () throws -> Double
    ) rethrows -> Measurement {
        _ = try value()
        _ = try reference()
        var (values, references): ([Double], [Double]) = ([], [])
        for _ in 0..<count {
            values.append(try value())
            references.append(try reference())
        }
        return Measurement(Samples(values), over: Samples(references))
    }
}
