import CollectionPipeline

/// What the benchmarks of a run share: the number of repetitions, and a large collection.
final class Workbench {
    let scale: Scale

    /// There is only one at a time, because a million elements take a good part of a gigabyte.
    private var kept: LoadedCollection?

    init(_ scale: Scale) { self.scale = scale }

    /// Returns a collection that was loaded with a million items, and is loaded now if there is none.
    func million() throws -> LoadedCollection {
        if let kept { return kept }
        let collection = try LoadedCollection(.million)
        kept = collection
        return collection
    }

    /// Releases the large collection, and returns when it is gone.
    func clear() throws {
        guard let ended = kept?.ended else { return }
        kept = nil
        try ended.waitUntilGone()
    }

    /// Calls `body` once to warm up, and then as often as the scale says.
    func samples(_ repetitions: Repetitions, _ body: () throws -> Double) rethrows -> Samples {
        _ = try body()
        var values: [Double] = []
        for _ in 0..<scale.count(repetitions) { values.append(try body()) }
        return Samples(values)
    }

    /// Measures two things alternately, so that what the machine does meanwhile affects both.
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

/// How much is measured. Sizes are the same in every run; only repetitions are fewer in a quick one.
enum Scale {
    case full
    /// Everything within a minute.
    case quick

    func count(_ repetitions: Repetitions) -> Int {
        self == .full ? repetitions.rawValue : repetitions.rawValue / 3
    }
}

/// How often something is measured in a full run.
enum Repetitions: Int {
    /// For what takes a good part of a second.
    case few = 9
    /// For what takes some milliseconds.
    case dozens = 24
    case hundreds = 300
    /// For what takes some microseconds.
    case thousand = 1_250
}
