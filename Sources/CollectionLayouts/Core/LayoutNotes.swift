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
