import Foundation
import Testing

@testable import git_timelapse

@Suite struct TwoPipeReaderTests {
    private let output = Pipe()
    private let errors = Pipe()

    private func makeReader() -> TwoPipeReader {
        TwoPipeReader(
            output: output.fileHandleForReading.fileDescriptor,
            errors: errors.fileHandleForReading.fileDescriptor
        )
    }

    private func write(_ text: String, to pipe: Pipe) {
        pipe.fileHandleForWriting.write(Data(text.utf8))
    }

    private func text(_ bytes: [UInt8]?) -> String? {
        bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [true, false])
    func outputComesAsItIsWrittenAndErrorsAreKept(outputEndsFirst: Bool) throws {
        var reader = makeReader()
        write("one", to: output)
        #expect(try text(reader.next()) == "one")
        write("warning", to: errors)
        write("two", to: output)
        #expect(try text(reader.next()) == "two")
        if outputEndsFirst {
            try output.fileHandleForWriting.close()
            write(", and more", to: errors)
            try errors.fileHandleForWriting.close()
        } else {
            write(", and more", to: errors)
            try errors.fileHandleForWriting.close()
            write("three", to: output)
            #expect(try text(reader.next()) == "three")
            try output.fileHandleForWriting.close()
        }
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
        #expect(text(reader.errorBytes) == "warning, and more")
    }

    @Test func ofErrorsTheBeginningIsKept() throws {
        let pieces = [
            String(repeating: "a", count: 10_000), String(repeating: "b", count: 10_000),
            String(repeating: "c", count: 100),
        ]
        let (output, errors) = (output, errors)
        Thread.detachNewThread {
            for piece in pieces {
                errors.fileHandleForWriting.write(Data(piece.utf8))
                usleep(10_000)
            }
            try? output.fileHandleForWriting.close()
            try? errors.fileHandleForWriting.close()
        }
        var reader = makeReader()
        #expect(try reader.next() == nil)
        #expect(text(reader.errorBytes) == String(pieces.joined().prefix(1 << 14)))
    }

    @Test func readingGoesOnAfterASignal() {
        let (output, errors) = (output, errors)
        let reader = makeReader()
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.03) {
            output.fileHandleForWriting.write(Data("late".utf8))
        }
        let piece = interrupting {
            var reader = reader
            return try? reader.next() ?? []
        }
        #expect(text(piece) == "late")
        withExtendedLifetime(errors) {}
    }

    @Test func whatCannotBeReadIsTheSystemsError() throws {
        let directory = open("/", O_RDONLY)
        defer { close(directory) }
        var reader = TwoPipeReader(
            output: directory,
            errors: errors.fileHandleForReading.fileDescriptor
        )
        #expect(throws: GitError(.gitFailed, "cannot read from git: Is a directory")) {
            try reader.next()
        }
    }
}
