/// Collects what a layout could not use: counts all, and keeps the first ones.
///
/// Main lane of the layout that has it. A class, so that section layouts report to the layout that asks
/// them.
final class LayoutErrorLog {
    /// Enough to find the fault; a million bad items have one cause.
    static let capacity = 64

    /// The first errors, oldest first.
    private(set) var errors: [LayoutError] = []

    /// How many errors there were, those included that were not kept.
    private(set) var count = 0

    func removeAll() {
        errors = []
        count = 0
    }

    /// Makes the error only if it is kept.
    func report(_ error: @autoclosure () -> LayoutError) {
        count += 1
        if errors.count < Self.capacity { errors.append(error()) }
    }
}
