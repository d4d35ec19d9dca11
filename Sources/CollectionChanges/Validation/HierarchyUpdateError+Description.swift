extension HierarchyUpdateError: CustomStringConvertible {
    /// Several lines: the summary; the likely mistake, or the rule that was broken; the operation at fault; both
    /// shapes; the data source; and in the end the code with UIKit's text.
    public var description: String { description(with: []) }

    /// The same with what a caller knows beside, before UIKit's text.
    package func description(with more: [String]) -> String {
        var lines = [summary]
        if let hint { lines.append("\(namesMistake ? "Likely" : "Hint"): \(hint)") }
        if let operation, let operationIndex {
            lines.append("At fault: operation \(operationIndex), \(operation)")
        }
        if let oldShape { lines.append("Before: \(oldShape.outline)") }
        if let newShape { lines.append("After: \(newShape.outline)") }
        if let dataSourceName { lines.append("Data source: \(dataSourceName)") }
        lines += more
        lines.append(summary == message ? "[\(code.rawValue)]" : "[\(code.rawValue)] \(message)")
        return lines.joined(separator: "\n")
    }
}

extension HierarchyShape {
    /// Every count where they fill a line at most, else how many there are.
    fileprivate var outline: String {
        guard numberOfSections > 16 else { return description }
        let items = numberOfItems.map(String.init) ?? "too many"
        return "\(numberOfSections) sections with \(items) items"
    }
}
