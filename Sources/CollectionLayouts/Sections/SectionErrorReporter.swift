/// Collects errors while sections are laid out.
///
/// Main lane of the layout that requests the arrangement. A class, so that section layouts, which
/// are values, can report to the composed layout.
final class SectionErrorReporter {
    private(set) var diagnostics = LayoutDiagnostics()

    /// Reports an error; the error is made only if it is kept.
    func report(_ error: @autoclosure () -> LayoutError) { diagnostics.report(error()) }
}

// Checks of numbers for laying out sections: valid numbers are returned, others are reported and
// replaced.

extension SectionErrorReporter {
    /// Returns the number; reports an invalid number and returns 0 instead.
    ///
    /// - Parameters:
    ///   - value: The number.
    ///   - code: The code of the error.
    ///   - name: The name of the number, if the code is not specific enough.
    ///   - place: The element that the number belongs to, if any.
    ///   - section: The section, if the number belongs to a whole section.
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
                // The text in parentheses is UIKit's text for the same error.
                expected: code == .itemSize
                    ? "a finite size (negative sizes are not supported)"
                    : "a finite number, not negative"
            )
        )
        return 0
    }

    /// Returns the count; reports an invalid count and returns the minimum instead.
    ///
    /// - Parameters:
    ///   - count: The count.
    ///   - code: The code of the error.
    ///   - section: The section that the count belongs to, if any.
    ///   - least: The minimum, which replaces an invalid count.
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
