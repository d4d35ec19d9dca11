import Foundation
import Testing

@testable import git_timelapse

@Suite struct OutputChannelTests {
    private let pipe = Pipe()
    private var writing: Int32 { pipe.fileHandleForWriting.fileDescriptor }

    /// Writes into the pipe until nothing more goes in, and gives what it was.
    private func fill() throws -> [UInt8] {
        #expect(fcntl(writing, F_SETFL, O_NONBLOCK) == 0)
        let page = [UInt8](repeating: 1, count: 1 << 12)
        var count = 0
        while true {
            let written = write(writing, page, page.count)
            guard written > 0 else { break }
            count += written
        }
        return [UInt8](repeating: 1, count: count)
    }

    /// Takes everything out of the pipe, a moment later.
    private func drainLater(_ count: Int) -> Guarded<[UInt8]> {
        let read = Guarded<[UInt8]>([])
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread {
            usleep(60_000)
            while read.value.count < count { read.value += Array(handle.availableData) }
        }
        return read
    }

    private func whole(_ read: Guarded<[UInt8]>, _ count: Int) -> [UInt8] {
        while read.value.count < count { usleep(1_000) }
        return read.value
    }

    private static let text = (0..<30_000).map { UInt8(truncatingIfNeeded: $0 * 7) }

    @Test func aSlowReaderIsWaitedForWithoutWork() throws {
        let filled = try fill()
        let read = drainLater(filled.count + Self.text.count)
        func processorNanoseconds() -> Int {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return time.tv_sec * 1_000_000_000 + time.tv_nsec
        }
        let start = processorNanoseconds()
        try OutputChannel(descriptor: writing).write(Self.text)
        #expect(processorNanoseconds() - start < 10_000_000)
        #expect(whole(read, filled.count + Self.text.count) == filled + Self.text)
    }

    @Test func writingGoesOnAfterASignal() throws {
        let filled = try fill()
        #expect(fcntl(writing, F_SETFL, 0) == 0)
        let read = drainLater(filled.count + Self.text.count)
        let channel = OutputChannel(descriptor: writing)
        #expect(interrupting { (try? channel.write(Self.text)) != nil })
        #expect(whole(read, filled.count + Self.text.count) == filled + Self.text)
    }

    @Test func whatCannotBeWrittenIsTheSystemsError() throws {
        let channel = OutputChannel(descriptor: -1)
        let error = #expect(throws: OutputChannel.WriteError.self) { try channel.write("x") }
        #expect(error == OutputChannel.WriteError(number: EBADF))
        #expect(error?.isBrokenPipe == false)
        #expect(error?.description == "cannot write: Bad file descriptor")
        #expect(throws: OutputChannel.WriteError.self) { try channel.writeToWhoeverReads("x") }
        #expect(throws: Never.self) { try channel.write("") }
    }

    @Test func allThatIsWrittenArrives() throws {
        let channel = OutputChannel(descriptor: writing)
        try channel.write("one, ")
        try channel.writeToWhoeverReads("two")
        try pipe.fileHandleForWriting.close()
        let read = pipe.fileHandleForReading.readDataToEndOfFile()
        #expect(String(decoding: read, as: UTF8.self) == "one, two")
    }
}
