/// Why a change set was rejected: the first fault in the order of checks, with everything that was
/// known about it.
///
/// Nothing has changed when this is thrown. `message` contains the text that UIKit (in the `texture`
/// profile: Texture) has for the same fault, so that a search for it finds the same advice.
public struct HierarchyUpdateError: Error, Hashable, Sendable {
    /// Which fault it is.
    public let code: Code

    /// The fault in a sentence, with its values; it contains UIKit's own. ``summary`` is shorter.
    public let message: String

    /// A summary that does not follow from the other values.
    let ownSummary: String?

    /// The index in `operations` of the recorded operation at fault, where one is; for edits from
    /// outside, the index in their sequence of the edit at fault.
    public private(set) var operationIndex: Int?

    /// The recorded operation at fault, where one is; for edits from outside, the operation that stands for
    /// the edit.
    public private(set) var operation: HierarchyChangeSet.Operation?

    /// The item at fault; an old path for deletes, reloads and move sources, else a new one.
    public let path: ItemPath?

    /// The section at fault; an old index for deletes, reloads and move sources, else a new one.
    public let section: Int?

    /// The shape before the update, where it was known.
    public private(set) var oldShape: HierarchyShape?

    /// The shape after the update, where it was known.
    public private(set) var newShape: HierarchyShape?

    /// The sums, where counts did not add up.
    public let arithmetic: CountArithmetic?

    /// The likely mistake, where the numbers fit one, and the rule that was broken, where one sentence can say
    /// it.
    public private(set) var hint: String?

    /// Whether `hint` begins with a mistake that fits the numbers.
    var namesMistake = false

    /// Who vouches for the counts: the name of the data source's type.
    public var dataSourceName: String?

    package init(
        _ code: Code,
        _ message: String,
        operationIndex: Int? = nil,
        path: ItemPath? = nil,
        section: Int? = nil,
        oldShape: HierarchyShape? = nil,
        newShape: HierarchyShape? = nil,
        arithmetic: CountArithmetic? = nil,
        hint: String? = nil,
        summary: String? = nil
    ) {
        self.code = code
        self.message = message
        ownSummary = summary
        self.operationIndex = operationIndex
        self.path = path
        self.section = section ?? path?.section
        self.oldShape = oldShape
        self.newShape = newShape
        self.arithmetic = arithmetic
        self.hint = hint
    }

    package func between(_ old: HierarchyShape, _ new: HierarchyShape) -> HierarchyUpdateError {
        var error = self
        error.oldShape = old
        error.newShape = new
        return error
    }

    /// The fault with the operation that it names, and the mistake that it likely comes from.
    func explained(
        by changes: HierarchyChangeSet,
        seekingMistakes: Bool
    ) -> HierarchyUpdateError {
        var error = self
        error.operation = operationIndex.map { changes.operations[$0] }
        if seekingMistakes, let mistake = LikelyMistake(behind: error, changes) {
            let rule = mistake.hasRule ? nil : hint
            error.hint = [mistake.description, rule].compactMap(\.self).joined(separator: ". ")
            error.namesMistake = true
        }
        return error
    }

    /// The same fault in a caller's own numbering.
    package func reported(at operationIndex: Int?) -> HierarchyUpdateError {
        var error = self
        error.operationIndex = operationIndex
        return error
    }
}
