import Foundation
import Testing

@testable import changeset_lint

@Suite struct FileDescriptorTests {
    /// A pipe, both ends of which are closed at the end.
    private struct Ends: ~Copyable {
        let reading: FileDescriptor
        let writing: FileDescriptor

        init() throws {
            var numbers: [Int32] = [-1, -1]
            try #require(pipe(&numbers) == 0)
            reading = FileDescriptor(number: numbers[0])
            writing = FileDescriptor(number: numbers[1])
        }

        deinit {
            reading.close()
            writing.close()
        }
    }

    private static func withFile(_ content: String, _ body: (String) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("descriptor-\(UUID().uuidString)")
        try Data(content.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try body(url.path)
    }

    @Test func whatIsWrittenIsReadAtOnceAndAsFarAsItIsThere() throws {
        let ends = try Ends()
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        try ends.writing.write([])
        try ends.writing.write(bytes)
        #expect(try ends.reading.read() == bytes)
        try ends.writing.write([7])
        #expect(try ends.reading.read() == [7])
    }

    @Test func aFileIsReadToItsEndAndKnowsItsSize() throws {
        try Self.withFile("hello") { path in
            let file = try FileDescriptor.open(path)
            defer { file.close() }
            #expect(file.byteCount == 5)
            #expect(!file.isTerminal)
            #expect(try file.read() == Array("hello".utf8))
            #expect(try file.read() == [])
        }
    }

    @Test func aFileIsNotHandedOnToChildren() throws {
        try Self.withFile("") { path in
            let file = try FileDescriptor.open(path)
            defer { file.close() }
            #expect(fcntl(file.number, F_GETFD) & FD_CLOEXEC == FD_CLOEXEC)
        }
    }

    @Test func whatIsNoFileHasNoSize() throws {
        let ends = try Ends()
        #expect(ends.reading.byteCount == nil)
        #expect(FileDescriptor(number: -1).byteCount == nil)
        let folder = try FileDescriptor.open("/")
        defer { folder.close() }
        #expect(folder.byteCount == nil)
    }

    @Test func whatIsClosedCanNeitherBeReadNorWritten() {
        let closed = FileDescriptor(number: -1)
        let fault = FileFault(errorNumber: EBADF)
        #expect(throws: fault) { try closed.read() }
        #expect(throws: fault) { try closed.write([1]) }
        #expect(throws: FileFault(errorNumber: ENOENT)) { try FileDescriptor.open("/no/such") }
    }

    @Test func onlyATerminalIsATerminal() throws {
        let number = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(number != -1)
        let terminal = FileDescriptor(number: number)
        defer { terminal.close() }
        #expect(terminal.isTerminal)
        let ends = try Ends()
        #expect(!ends.writing.isTerminal)
        #expect(!FileDescriptor(number: -1).isTerminal)
    }

    @Test(arguments: 1...5)
    func whatIsTakenInPiecesArrivesWholeAndInOrder(pieceSize: Int) throws {
        let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7]
        var arrived: [UInt8] = []
        try FileDescriptor.handOver(bytes) { rest in
            let piece = rest.prefix(pieceSize)
            arrived += piece
            return piece.count
        }
        #expect(arrived == bytes)
    }

    @Test func nothingIsHandedOverWithoutACall() throws {
        try FileDescriptor.handOver([]) { _ in
            Issue.record("called")
            return 0
        }
    }

    @Test func aCallIsMadeAgainAfterASignalAndFailsWithItsFault() throws {
        var answers: [(Int, Int32)] = [(-1, EINTR), (-1, EINTR), (3, 0), (0, 0), (-1, EIO)]
        func call() -> Int {
            let (answer, number) = answers.removeFirst()
            errno = number
            return answer
        }
        #expect(try FileDescriptor.uninterrupted(call) == 3)
        #expect(answers.count == 2)
        #expect(try FileDescriptor.uninterrupted(call) == 0)
        #expect(throws: FileFault(errorNumber: EIO)) { try FileDescriptor.uninterrupted(call) }
    }
}
