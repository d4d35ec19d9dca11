import Foundation

/// Where the compiler refused a text, or the function that it ended at by itself.
package struct CompilerError: Sendable {
    /// The file, from the folder that is built.
    package let path: String
    /// From 1, of the text that was compiled.
    package let line: Int
    package let column: Int
    package let text: String

    /// Nil where a line of what the compiler says is not about one place of a file below `folder`.
    ///
    /// - Parameters:
    ///   - line: a line of what it says, such as `/tree/A.swift:3:5: error: …`; or ` for 'cut()' (at
    ///     /tree/A.swift:3:5)`, which is what it was at when it crashed.
    ///   - folder: the folder that is built, with a slash at its end.
    package init?(_ line: String, below folder: String) {
        var place = line[...]
        if let error = line.range(of: ": error:") {
            place = line[..<error.lowerBound]
        } else if line.hasPrefix(" for '"), line.hasSuffix(")"),
            let at = line.range(of: " (at ", options: .backwards)
        {
            place = line[at.upperBound...].dropLast()
        } else {
            return nil
        }
        let parts = place.split(separator: ":")
        guard parts.count == 3, parts[0].hasPrefix(folder),
            let number = Int(parts[1]), let column = Int(parts[2])
        else { return nil }
        path = String(parts[0].dropFirst(folder.count))
        (self.line, self.column, text) = (number, column, line)
    }
}
