import Testing

@testable import git_timelapse

/// Modes, identifiers, names and records as git writes them.
@Suite struct GitNamesTests {
    @Test func modesAreOneToSevenOctalDigits() {
        for length in 0...9 {
            let digits = Array(repeating: UInt8(ascii: "1"), count: length)
            #expect((FileMode(octal: digits) != nil) == (1...7).contains(length), "\(length)")
        }
        for digits in ["8", "/", "1x", "-1"] { #expect(FileMode(octal: Array(digits.utf8)) == nil) }
        let modes = [("7", "000007"), ("040000", "040000"), ("160000", "160000"), ("1234567", nil)]
        for (digits, shown) in modes {
            #expect(FileMode(octal: Array(digits.utf8))?.description == shown ?? digits)
        }
    }

    @Test func identifiersAreAllTheirDigits() throws {
        let digits = "0123456789abcdef00f1e2d3c4b5a69788776655443322110f0e0d0c0b0a0908"
        for length in 0...66 {
            let text = String((digits + digits).prefix(length))
            let id = ObjectID(text)
            #expect((id != nil) == (length == 40 || length == 64), "\(length)")
            #expect(id?.description ?? text == text)
            #expect(id?.abbreviated ?? "0123456" == "0123456")
        }
        for position in 0..<64 {
            // Another digit anywhere makes another identifier.
            var other = Array(digits.utf8)
            other[position] = UInt8(ascii: other[position] == UInt8(ascii: "f") ? "e" : "f")
            for length in [40, 64] {
                let (one, two) = (
                    ObjectID(digits.prefix(length)), ObjectID(hexadecimal: other.prefix(length))
                )
                #expect((one == two) == (position >= length))
            }
            for digit in "gG/:`A " {
                other[position] = digit.asciiValue!
                #expect(ObjectID(hexadecimal: other) == nil)
            }
        }
    }

    @Test func namesAscendByBytesAndThenByLength() {
        let names: [FileName] = [
            "", "a", "a\u{1}", "aa", "ab", "b", FileName([0x80]), FileName([0xFF]),
        ]
        for (left, first) in names.enumerated() {
            for (right, second) in names.enumerated() {
                #expect((first < second) == (left < right))
                #expect((first == second) == (left == right))
            }
        }
    }

    @Test func streamThatHasEndedStaysAtItsEnd() throws {
        var pieces: [[UInt8]] = [[1, 0, 2], [], [3, 0, 0], [4, 0]]
        var reader = NULTerminatedReader { pieces.isEmpty ? nil : pieces.removeFirst() }
        for expected in [[1], [2, 3], [], [4], nil, nil, nil] as [[UInt8]?] {
            #expect(try reader.next() == expected)
        }
        pieces = [[5]]
        #expect(throws: GitError(.unexpectedOutput, "git's output ends in mid-record")) {
            try reader.next()
        }
        #expect(try reader.next() == nil)
    }
}

/// What is said of output that no git writes.
@Suite struct UnexpectedOutputTests {
    private static let id = String(repeating: "1a", count: 20)
    private static let long = String(repeating: "0123456789", count: 9)

    private static func log(_ text: String) throws {
        var pieces = [Array(text.utf8)]
        var parser = GitLogParser(NULTerminatedReader { pieces.popLast() })
        while try parser.next() != nil {}
    }

    @Test(arguments: [
        ("\(long)\0", "expected a commit's identifier from git, but found '\(long.prefix(80))'"),
        (id + "\0", "git's output ends where a subject should be"),
        (id + "\0s\0\n:x\u{1B}\0", "expected a change from git, but found 'x\\u{1b}'"),
        (
            id + "\0s\0\n:100644 100644 \(id)  \(id) M\0p\0",
            "expected a change from git, but found '\(("100644 100644 \(id)  \(id) M").prefix(80))'"
        ),
        (
            id + "\0s\0\n:1 1 \(id) \(id) X\0p\0",
            "expected a change from git, but found '\("1 1 \(id) \(id) X".prefix(80))'"
        ),
        (id + "\0s\0\n:1 1 \(id) \(id) M\0", "git's output ends where a path should be"),
        (id + "\0s\0\n:1 1 \(id) \(id) M\0d/\0", "expected a path from git, but found 'd/'"),
        (id + "\0s\0\n:1 1 \(id) \(id) R1\0p\0", "git's output ends where a new path should be"),
        (
            id + "\0s\0\n:1 1 \(id) \(id) C1\0p\0/\0",
            "expected a copy's path from git, but found '/'"
        ),
    ])
    func logSaysWhatWasExpectedAndFound(text: String, message: String) {
        #expect(throws: GitError(.unexpectedOutput, message)) { try Self.log(text) }
    }

    @Test func listingShowsTheBeginningOfTheRecord() {
        var pieces = [Array("x\(Self.long)\0".utf8)]
        let message = "git lists a file as 'x\(Self.long.prefix(79))'"
        #expect(throws: GitError(.unexpectedOutput, message)) {
            try TreeListing(gitOutput: NULTerminatedReader { pieces.popLast() })
        }
    }
}
