import CollectionPipeline

/// The shared state of the benchmarks of a run: the number of repetitions, and a large collection.
final class Workbench {
    let scale: Scale

    /// The large collection. There is only one, because a million elements take a good part of a
    /// gigabyte.
    private var kept: LoadedCollection?

    init(_ scale: Scale) { self.scale = scale }

    /// Returns the collection of a million items, and loads it if there is none.
    func million() throws -> LoadedCollection {
        if let kept { return kept }
        let collection = try LoadedCollection(.million)
        kept = collection
        return collection
    }

    /// Releases the large collection, and returns when its memory is free.
    func clear() throws {
        guard let ended = kept?.ended else { return }
        kept = nil
        try ended.waitUntilGone()
    }

    /// Calls `body` once to warm up, and then as often as the scale says.
    func samples(_ repetitions: Repetitions, _ body: () throws -> Double) rethrows -> Samples {
        _ = try body()
        return Samples(try (0..<scale.count(repetitions)).map { _ in try body() })
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

/// The extent of a run. Sizes are always the same; a quick run only has fewer repetitions.
enum Scale {
    case full
    /// All benchmarks within a minute.
    case quick

    func count(_ repetitions: Repetitions) -> Int {
        self == .full ? repetitions.rawValue : repetitions.rawValue / 3
    }
}

/// The number of repetitions in a full run.
enum Repetitions: Int {
    /// For measurements of a good part of a second.
    case few = 9
    /// For measurements of some milliseconds.
    case dozens = 24
    case hundreds = 300
    /// For measurements of some microseconds.
    case thousand = 1_250
}
