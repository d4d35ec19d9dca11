import Foundation

/// An error of the compiler with its location, or the function at which the compiler crashed.
package struct CompilerError: Sendable {
    /// The path of the file, relative to the built folder.
    package let path: String
    /// The line in the compiled text, from 1.
    package let line: Int
    /// The column in the compiled text, from 1.
    package let column: Int
    /// The line of output that reports the error.
    package let text: String

    /// Parses a line of the compiler's output. Returns `nil` if it does not name one location in a
    /// file below `folder`.
    ///
    /// - Parameters:
    ///   - line: a line of output, such as `/tree/A.swift:3:5: error: …`, or, after a crash,
    ///     ` for 'cut()' (at /tree/A.swift:3:5)`.
    ///   - folder: the built folder, with a slash at its end.
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
