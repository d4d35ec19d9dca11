import Foundation
import Testing

@testable import layout_gallery

/// Files, line by line.
@Suite struct LineInputTests {
    private func read(_ file: URL) throws -> [String] {
        let input = try LineInput(file.path())
        var lines: [String] = []
        #expect(input.lineNumber == 0)
        while let line = try input.next() {
            lines.append(String(decoding: line, as: UTF8.self))
            #expect(input.lineNumber == lines.count)
        }
        // The end stays the end.
        #expect(try input.next() == nil && input.lineNumber == lines.count)
        return lines
    }

    /// Every text of lines and ends up to a length, and one that no buffer holds at first.
    @Test func everyLineIsReadWithoutItsEnd() throws {
        try inTemporaryFolder { folder in
            let file = folder.appending(path: "lines")
            var texts = [""]
            var next = 0
            while texts[next].count < 5 {
                texts += ["a", "\n"].map { texts[next] + $0 }
                next += 1
            }
            texts.append(String(repeating: "b", count: 10_000) + "\n\nc\n")
            for text in texts {
                try Data(text.utf8).write(to: file)
                var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                    .map(String.init)
                if lines.last == "" { lines.removeLast() }
                #expect(try read(file) == lines, "\(text.debugDescription.prefix(40))")
            }
        }
    }

    @Test func whatIsNotThereIsNamed() throws {
        try inTemporaryFolder { folder in
            let path = folder.appending(path: "missing").path()
            let fault = GalleryFault("cannot read '\(path)': No such file or directory")
            #expect(throws: fault) { try LineInput(path) }
        }
    }

    @Test func afterwardsTheFileIsClosed() throws {
        try inTemporaryFolder { folder in
            let file = folder.appending(path: "closed-\(UUID())")
            try Data("a\nb\n".utf8).write(to: file)
            do {
                let input = try LineInput(file.path())
                let line = try input.next()
                #expect(line == [0x61])
                withExtendedLifetime(input) {
                    #expect(openFiles(named: file.lastPathComponent) == 1)
                }
            }
            #expect(openFiles(named: file.lastPathComponent) == 0)
        }
    }
}
