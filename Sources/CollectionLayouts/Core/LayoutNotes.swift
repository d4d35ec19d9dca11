/// What a preparation has cost, and what it could not use: who asks and lays out hands it back, and the
/// layout adds it to its own.
struct LayoutNotes {
    var diagnostics = LayoutDiagnostics()
    var work = LayoutWork()
}

/// What a layout has done, in steps that cost; for tests of complexity.
package struct LayoutWork {
    /// How many sizes or heights of items were asked for.
    package internal(set) var askedSizes = 0
    /// How many lines were broken.
    package internal(set) var brokenLines = 0
    /// How many sections were laid out.
    package internal(set) var laidOutSections = 0
    /// How many items queries have looked at.
    package internal(set) var visitedItems = 0
    /// How many sections queries by rectangle have looked at, steps of searches included.
    package internal(set) var visitedSections = 0
}

extension LayoutNotes {
    /// Adds what was done and found later.
    mutating func add(_ later: LayoutNotes) {
        diagnostics.add(later.diagnostics)
        work.askedSizes += later.work.askedSizes
        work.brokenLines += later.work.brokenLines
        work.laidOutSections += later.work.laidOutSections
        work.visitedItems += later.work.visitedItems
        work.visitedSections += later.work.visitedSections
    }
}

/// What a layout could not use: all of it is counted, and the first errors are kept.
struct LayoutDiagnostics: Sendable {
    /// Enough to find the fault; a million bad items have one cause.
    static let capacity = 64

    /// The first errors, oldest first.
    private(set) var errors: [LayoutError] = []

    /// How many errors there were, those included that were not kept.
    private(set) var count = 0

    /// Makes the error only if it is kept.
    mutating func report(_ error: @autoclosure () -> LayoutError) {
        count += 1
        if errors.count < Self.capacity { errors.append(error()) }
    }

    /// Adds what was found later.
    mutating func add(_ later: LayoutDiagnostics) {
        count += later.count
        errors += later.errors.prefix(Self.capacity - errors.count)
    }
}
