/// Collects what a layout could not use.
///
/// Main lane of the layout that has it. A class, so that section layouts, which are values, report to who
/// asks them.
final class LayoutErrorLog {
    private(set) var diagnostics = LayoutDiagnostics()

    /// The first errors, oldest first.
    var errors: [LayoutError] { diagnostics.errors }

    /// How many errors there were, those included that were not kept.
    var count: Int { diagnostics.count }

    func removeAll() { diagnostics = LayoutDiagnostics() }

    /// Makes the error only if it is kept.
    func report(_ error: @autoclosure () -> LayoutError) { diagnostics.report(error()) }

    /// Adds what was found by who was asked.
    func add(_ later: LayoutDiagnostics) { diagnostics.add(later) }
}
