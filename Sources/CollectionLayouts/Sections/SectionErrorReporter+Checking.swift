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
