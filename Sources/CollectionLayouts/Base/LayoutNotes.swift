/// The cost and the errors of a preparation. The code that performs the layout returns them, and
/// the layout adds them to its own.
struct LayoutNotes {
    var diagnostics = LayoutDiagnostics()
    var work = LayoutWork()
}

/// The work of a layout, counted in steps; used by complexity tests.
package struct LayoutWork {
    /// The number of item sizes or heights that were requested.
    package internal(set) var requestedSizes = 0
    /// The number of lines that were broken.
    package internal(set) var brokenLines = 0
    /// The number of sections that were laid out.
    package internal(set) var laidOutSections = 0
    /// The number of items that queries have visited.
    package internal(set) var visitedItems = 0
    /// The number of sections that queries by rectangle have visited, including search steps.
    package internal(set) var visitedSections = 0
}

extension LayoutNotes {
    /// Adds the work and errors of a later step.
    mutating func add(_ later: LayoutNotes) {
        diagnostics.add(later.diagnostics)
        work.requestedSizes += later.work.requestedSizes
        work.brokenLines += later.work.brokenLines
        work.laidOutSections += later.work.laidOutSections
        work.visitedItems += later.work.visitedItems
        work.visitedSections += later.work.visitedSections
    }
}

/// The errors of a layout: all errors are counted, but only the first ones are kept.
struct LayoutDiagnostics: Sendable {
    /// The maximum number of errors to keep. It is enough to find the cause, because a million
    /// invalid items usually have one cause.
    static let capacity = 64

    /// The first errors, oldest first.
    private(set) var errors: [LayoutError] = []

    /// The number of errors, including those that were not kept.
    private(set) var count = 0

    /// Reports an error; the error is made only if it is kept.
    mutating func report(_ error: @autoclosure () -> LayoutError) {
        count += 1
        if errors.count < Self.capacity { errors.append(error()) }
    }

    /// Adds later errors.
    mutating func add(_ later: LayoutDiagnostics) {
        count += later.count
        errors += later.errors.prefix(Self.capacity - errors.count)
    }
}

extension LayoutNotes {
    /// Records a section that was laid out in lines, and returns it.
    mutating func laidOut(_ section: FlowSection, _ index: Int) -> FlowSection {
        work.laidOutSections += 1
        work.brokenLines += section.brokenLineCount
        if section.hasOversizeItem {
            diagnostics.report(
                .oversizeItem(inSection: index, section.rules.environment.direction)
            )
        }
        return section
    }
}

extension LayoutError {
    static func oversizeItem(
        inSection section: Int,
        _ direction: ScrollDirection
    ) -> LayoutError {
        let (extent, first, second) =
            direction == .vertical ? ("width", "left", "right") : ("height", "top", "bottom")
        return LayoutError(
            .itemExceedsLine,
            message: """
                The behavior of the UICollectionViewFlowLayout is not defined because: the item \
                \(extent) must be less than the \(extent) of the UICollectionView minus the section \
                insets \(first) and \(second) values, minus the content insets \(first) and \
                \(second) values. Please check the values returned by the delegate. (section \
                \(section))
                """
        )
    }
}
