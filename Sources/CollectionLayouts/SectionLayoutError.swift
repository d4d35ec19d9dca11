/// A value that a composed layout was given and could not use; it counted as zero instead.
public struct SectionLayoutError: Error, Hashable, Sendable {
    /// What the value was to be.
    public enum Code: String, Hashable, Sendable {
        /// The number of sections.
        case sectionCount
        /// The number of items of a section.
        case itemCount
        /// The size of an item.
        case itemSize
        /// The size that a view wants.
        case preferredSize
        /// The extent of a header.
        case headerExtent
        /// The extent of a footer.
        case footerExtent
        /// One side of a section's insets.
        case inset
        /// The space between lines or items.
        case spacing
        /// The extent that a section's arrangement answered with.
        case sectionExtent
        /// The number of columns of a section.
        case columnCount
    }

    /// What the value was to be.
    public let code: Code

    /// The section, in the view's index space when the value was met; nil for the number of sections.
    public let section: Int?

    /// The item in its section; nil where the value is the whole section's.
    public let item: Int?

    /// The value; a count as the nearest floating point number.
    public let value: Double

    /// The largest extent that is laid out, in the unit of ``Size``: sums over any collection that fits in
    /// memory stay finite.
    public static let largestExtent = 1e15

    /// The largest number of sections, or of items in a section, that is laid out: what the pipeline's
    /// limits allow by default.
    public static let largestCount = 1 << 24
}

extension SectionLayoutError: CustomStringConvertible {
    /// What was expected, what was found, and where.
    public var description: String {
        var place = section.map { " in section \($0)" } ?? ""
        if let item { place += ", item \(item)" }
        let expected =
            switch code {
            case .sectionCount, .itemCount, .columnCount:
                "a count from 0 to \(Self.largestCount)"
            case .itemSize:
                // UIKit's text for the same fault.
                "negative sizes are not supported; a finite size"
            default: "a finite number, not negative"
            }
        return "\(code)\(place): expected \(expected), found \(value); it counts as 0"
    }
}

/// Collects errors, up to a bound.
///
/// Main lane of the layout that has it.
final class SectionLayoutErrorLog {
    /// Enough to find the fault; a million bad items have one cause.
    static let capacity = 64

    private(set) var errors: [SectionLayoutError] = []

    func removeAll() { errors = [] }

    func report(_ error: SectionLayoutError) {
        if errors.count < Self.capacity { errors.append(error) }
    }

    func usable(
        _ value: Double,
        as code: SectionLayoutError.Code,
        section: Int?,
        item: Int? = nil
    ) -> Double {
        if value >= 0, value <= SectionLayoutError.largestExtent { return value }
        report(SectionLayoutError(code: code, section: section, item: item, value: value))
        return 0
    }

    func usable(_ count: Int, as code: SectionLayoutError.Code, section: Int?) -> Int {
        if count >= 0, count <= SectionLayoutError.largestCount { return count }
        report(
            SectionLayoutError(code: code, section: section, item: nil, value: Double(count))
        )
        return 0
    }
}
