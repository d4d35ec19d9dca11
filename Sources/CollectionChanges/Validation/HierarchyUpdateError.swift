/// Why a change set was rejected: the first fault in the order of checks, with everything that was
/// known about it.
///
/// Nothing has changed when this is thrown. `message` contains the text that UIKit (in the `texture`
/// profile: Texture) has for the same fault, so that a search for it finds the same advice.
public struct HierarchyUpdateError: Error, Hashable, Sendable {
    /// Which fault it is.
    public let code: Code

    /// The fault in a sentence, with its values.
    public let message: String

    /// The index in `operations` of the recorded operation at fault, where one is; for edits from
    /// outside, the index in their sequence of the edit at fault.
    public private(set) var operationIndex: Int?

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

    /// The likely mistake, where there is a typical one.
    public let hint: String?

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
        hint: String? = nil
    ) {
        self.code = code
        self.message = message
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

    /// The same fault in a caller's own numbering.
    package func reported(at operationIndex: Int?) -> HierarchyUpdateError {
        var error = self
        error.operationIndex = operationIndex
        return error
    }
}

extension HierarchyUpdateError: CustomStringConvertible {
    /// The message with data source, shapes and hint.
    public var description: String {
        var text = "\(message) [\(code.rawValue)]"
        if let dataSourceName { text += ". Data source: \(dataSourceName)" }
        if let oldShape { text += ". Before: \(oldShape)" }
        if let newShape { text += ". After: \(newShape)" }
        if let hint { text += ". Hint: \(hint)" }
        return text
    }
}
