/// How much is measured.
struct Scale: Equatable {
    /// Of the repetitions, one in so many is made.
    var repetitionDivisor = 1
    /// Large collections are divided by this; no figure means anything for which it is not 1.
    var sizeDivisor = 1

    static let full = Scale()

    /// Everything within a minute, with fewer repetitions.
    static let quick = Scale(repetitionDivisor: 3)

    func count(_ repetitions: Repetitions) -> Int {
        max(1, repetitions.rawValue / repetitionDivisor)
    }

    func size(_ full: Int) -> Int { full / sizeDivisor }

    // MARK: Sizes

    /// A million items in ten sections, which is what most figures speak of.
    var million: LoadedCollection.Outline { .init(10, size(100_000)) }

    /// What a million is compared with, and what small things are measured on.
    static let thousand = LoadedCollection.Outline(10, 100)

    /// An ordinary screen's collection, with more sections than most have.
    static let ordinary = LoadedCollection.Outline(400, 10)

    var manySections: LoadedCollection.Outline { .init(size(10_000), 100) }

    var manySmallSections: LoadedCollection.Outline { .init(size(10_000), 10) }

    /// Questions to a map: enough to miss the processor's caches, few enough to be quick.
    var lookUps: Int { size(100_000) }

    /// Controllers in a fleet.
    var controllers: Int { size(1_000) }

    /// Slow nodes to measure.
    var nodes: Int { size(10_000) }

    /// Identifiers to be compared, and items to be rebased among.
    var identifiers: Int { size(100_000) }

    /// Change sets to be composed.
    var missed: Int { size(1_000_000) }

    /// Rows of a layout.
    var rows: Int { size(1_000_000) }
}

/// How often something is measured in a full run.
enum Repetitions: Int {
    /// What takes a good part of a second.
    case few = 9
    /// What takes some milliseconds.
    case dozens = 24
    case hundreds = 300
    /// What takes some microseconds.
    case thousand = 1_250
}
