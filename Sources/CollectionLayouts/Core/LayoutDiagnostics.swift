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
