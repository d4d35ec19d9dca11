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

// Numbers that sections are laid out with: usable ones pass, others are reported and become zero.

extension SectionErrorReporter {
    /// - Parameters:
    ///   - name: what the number is, where the code does not say it well enough.
    ///   - section: where it belongs to a whole section and no element of it.
    func usable(
        _ value: Double,
        as code: LayoutError.Code,
        named name: String? = nil,
        at place: LayoutPlace? = nil,
        section: Int? = nil
    ) -> Double {
        if value >= 0, value <= ComposedLayout.largestExtent { return value }
        report(
            .unusable(
                "\(value)",
                as: code,
                named: name,
                at: place,
                section: section,
                // In parentheses: UIKit's text for the same fault.
                expected: code == .itemSize
                    ? "a finite size (negative sizes are not supported)"
                    : "a finite number, not negative"
            )
        )
        return 0
    }

    /// - Parameter least: the least that the count may be, and what it becomes if it is not usable.
    func usable(
        _ count: Int,
        as code: LayoutError.Code,
        section: Int? = nil,
        least: Int = 0
    ) -> Int {
        if count >= least, count <= ComposedLayout.largestCount { return count }
        report(
            .unusable(
                "\(count)",
                as: code,
                section: section,
                expected: "a count from \(least) to \(ComposedLayout.largestCount)",
                outcome: "it counts as \(least)"
            )
        )
        return least
    }
}
