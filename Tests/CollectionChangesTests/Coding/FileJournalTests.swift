import CollectionChanges
import Foundation
import Testing

/// The storage in a file does what that in memory does, and says what the system says.
@Suite struct FileJournalTests {
    private func withDirectory(_ body: (String) throws -> Void) throws {
        let directory =
            FileManager.default.temporaryDirectory.path + "/journal-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: false
        )
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try body(directory)
    }

    @Test func everyCallDoesWhatItDoesInMemory() throws {
        try withDirectory { directory in
            let memory = MemoryJournalStorage()
            do {
                let file = try FileJournalStorage(path: directory + "/j")
                for storage in [memory, file] as [any JournalStorage] {
                    try storage.append([])
                    try storage.append([1, 2, 3, 4])
                    try storage.truncate(to: 2)
                    try storage.append([9])
                    try storage.sync()
                    #expect(try storage.read(0..<3) == [1, 2, 9])
                    try storage.replaceAll(with: [7, 7])
                    try storage.append([5])
                    #expect(try storage.byteCount() == 3)
                    #expect(try storage.read(1..<3) == [7, 5])
                    #expect(throws: JournalError.self) { try storage.read(1..<4) }
                }
            }
            let reopened = try FileJournalStorage(path: directory + "/j")
            #expect(try reopened.read(0..<reopened.byteCount()) == memory.bytes)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["j"])
        }
    }

    @Test func aJournalInAFileIsReplayedAfterReopening() throws {
        try withDirectory { directory in
            var writer = JournalTests.Writer(seed: 2)
            do {
                let file = try FileJournalStorage(path: directory + "/j")
                let journal = try UpdateJournal(
                    creatingIn: file,
                    base: JournalBase(shape: writer.shape)
                )
                for _ in 0..<10 { try journal.append(try writer.next(), payload: writer.payload()) }
            }
            let bytes = try Data(contentsOf: URL(fileURLWithPath: directory + "/j"))
            try (bytes + [1, 2, 3]).write(to: URL(fileURLWithPath: directory + "/j"))
            let journal = try UpdateJournal(opening: FileJournalStorage(path: directory + "/j"))
            #expect(journal.recovery.finding == .tornTail && journal.recovery.bytesCut == 3)
            #expect(journal.lastSequence == 10 && journal.shape == writer.shape)
            try journal.append(try writer.next())
            try journal.truncate(behind: JournalBase(sequence: 11, shape: writer.shape))
            var count = 0
            try journal.replay { _ in count += 1 }
            #expect(count == 1)
        }
    }

    @Test func aFileIsOpenOnce() throws {
        try withDirectory { directory in
            let first = try FileJournalStorage(path: directory + "/j")
            for _ in 0..<2 {
                do throws(JournalError) {
                    _ = try FileJournalStorage(path: directory + "/j")
                    Issue.record("opened twice")
                } catch {
                    #expect(error.code == .inUse)
                }
                // The file that took its place is locked as well.
                try first.replaceAll(with: [1])
            }
        }
    }

    @Test func theSystemsErrorIsInTheError() throws {
        do {
            _ = try FileJournalStorage(path: "/nonexistent-directory/j")
            Issue.record("opened")
        } catch {
            #expect(error.code == .storage && error.systemError == ENOENT)
            #expect(error.path == "/nonexistent-directory/j")
        }
    }
}
