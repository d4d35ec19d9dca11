/// Collects what could not be used while sections are laid out.
///
/// Main lane of the layout that asks. A class, so that section layouts, which are values, report to who asks
/// them.
final class SectionErrorReporter {
    private(set) var diagnostics = LayoutDiagnostics()

    /// The first errors, oldest first.
    var errors: [LayoutError] { diagnostics.errors }

    /// How many errors there were, those included that were not kept.
    var count: Int { diagnostics.count }

    /// Makes the error only if it is kept.
    func report(_ error: @autoclosure () -> LayoutError) { diagnostics.report(error()) }
}
