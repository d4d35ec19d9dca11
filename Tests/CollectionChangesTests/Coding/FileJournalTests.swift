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
            var writer = JournalWriter(seed: 2)
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

    @Test func whatIsNoFileIsAnError() throws {
        try withDirectory { directory in
            try Data([1]).write(to: URL(fileURLWithPath: directory + "/there"))
            try FileManager.default.createSymbolicLink(
                atPath: directory + "/link",
                withDestinationPath: directory + "/there"
            )
            #expect(mkfifo(directory + "/pipe", 0o600) == 0)
            for (name, number) in [("link", ELOOP), ("", EISDIR), ("pipe", nil)] {
                let path = directory + "/" + name
                let error = #expect(throws: JournalError.self) {
                    try FileJournalStorage(path: path)
                }
                #expect(error?.code == .storage && error?.systemError == number, "\(name)")
            }
        }
    }

    @Test func aReplacedFileKeepsItsPermissionsAndLeavesNothingBeside() throws {
        try withDirectory { directory in
            let path = directory + "/j"
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
            // A crash left one, even one that cannot be written.
            try Data([9, 9, 9]).write(to: URL(fileURLWithPath: path + ".new"))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o400],
                ofItemAtPath: path + ".new"
            )
            let storage = try FileJournalStorage(path: path)
            try storage.replaceAll(with: [1, 2])
            #expect(try storage.read(0..<2) == [1, 2])
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o640)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["j"])
        }
    }

    @Test func aFailedReplacementLeavesTheFileAsItWas() throws {
        try withDirectory { directory in
            let storage = try FileJournalStorage(path: directory + "/j")
            try storage.append([1, 2, 3])
            // A directory with something in it cannot be made way for.
            try FileManager.default.createDirectory(
                atPath: directory + "/j.new/inside",
                withIntermediateDirectories: true
            )
            #expect(throws: JournalError.self) { try storage.replaceAll(with: [7]) }
            #expect(try storage.read(0..<3) == [1, 2, 3])
            try FileManager.default.removeItem(atPath: directory + "/j.new")
            try storage.replaceAll(with: [7])
            #expect(try storage.read(0..<1) == [7])
        }
    }

    @Test func aRelativePathIsThatOfNow() throws {
        let storage = try FileJournalStorage(path: "journal-\(UUID().uuidString)")
        defer { _ = unlink(storage.path) }
        #expect(storage.path.hasPrefix(FileManager.default.currentDirectoryPath + "/journal-"))
    }

    @Test func whatIsNotInTheFileIsNotRead() throws {
        try withDirectory { directory in
            let storage = try FileJournalStorage(path: directory + "/j")
            try storage.append([1, 2, 3, 4])
            #expect(try storage.read(4..<4) == [])
            for range in [-1..<2, 0..<5, 5..<6] {
                let error = #expect(throws: JournalError.self) { try storage.read(range) }
                #expect(error?.code == .storage && error?.path == storage.path)
            }
            // Somebody else makes it shorter.
            #expect(truncate(storage.path, 2) == 0)
            #expect(try storage.read(0..<2) == [1, 2])
            let error = #expect(throws: JournalError.self) { try storage.read(0..<4) }
            #expect(error?.message == "\(storage.path) became shorter than 4 bytes")
            #expect(throws: JournalError.self) { try storage.truncate(to: -1) }
        }
    }

    /// More than a system takes or gives at once where it is slow; each byte stays where it is.
    @Test func manyBytesAreWrittenAndReadInTheirPlaces() throws {
        try withDirectory { directory in
            let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            let storage = try FileJournalStorage(path: directory + "/j")
            try storage.append(Array(bytes[..<7]))
            try storage.append(Array(bytes[7...]))
            #expect(try storage.read(0..<bytes.count) == bytes)
            #expect(try storage.read(70_001..<70_009) == Array(bytes[70_001..<70_009]))
            try storage.replaceAll(with: bytes.reversed())
            #expect(try storage.read(0..<bytes.count) == bytes.reversed())
        }
    }

    /// Whatever succeeds or fails, one file is open while the storage is there, and none afterwards.
    @Test func noFileStaysOpen() throws {
        try withDirectory { directory in
            func openFiles() throws -> Int {
                let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                return links.count { number in
                    let link = "/proc/self/fd/\(number)"
                    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
                    return target?.hasPrefix(directory) == true
                }
            }
            do {
                let storage = try FileJournalStorage(path: directory + "/j")
                #expect(throws: JournalError.self) {
                    _ = try FileJournalStorage(path: directory + "/j")
                }
                #expect(throws: JournalError.self) {
                    _ = try FileJournalStorage(path: directory + "/none/j")
                }
                #expect(mkfifo(directory + "/pipe", 0o600) == 0)
                #expect(throws: JournalError.self) {
                    _ = try FileJournalStorage(path: directory + "/pipe")
                }
                try storage.replaceAll(with: [1])
                try storage.replaceAll(with: [2])
                // What cannot be made way for, and what cannot be named as it should be.
                try FileManager.default.createDirectory(
                    atPath: directory + "/j.new/inside",
                    withIntermediateDirectories: true
                )
                #expect(throws: JournalError.self) { try storage.replaceAll(with: [3]) }
                try FileManager.default.removeItem(atPath: directory + "/j.new")
                try FileManager.default.removeItem(atPath: directory + "/j")
                try FileManager.default.createDirectory(
                    atPath: directory + "/j/inside",
                    withIntermediateDirectories: true
                )
                let error = #expect(throws: JournalError.self) {
                    try storage.replaceAll(with: [4])
                }
                #expect(error?.systemError == EISDIR || error?.systemError == ENOTEMPTY)
                #expect(
                    !FileManager.default.fileExists(atPath: directory + "/j.new"),
                    "what could not take its place is removed"
                )
                #expect(try openFiles() == 1)
                #expect(try storage.read(0..<1) == [2])
            }
            #expect(try openFiles() == 0)
        }
    }

    // A pipe cannot be synced, so one takes the file's place for the while.
    @Test func afterAFailedSyncTheNextWritesEverythingAnew() throws {
        try withDirectory { directory in
            let storage = try FileJournalStorage(path: directory + "/j")
            try storage.append([1, 2, 3])
            try storage.sync()
            func number() throws -> Int? {
                let attributes = try FileManager.default.attributesOfItem(atPath: storage.path)
                return attributes[.systemFileNumber] as? Int
            }
            let first = try number()
            let descriptor = try #require(
                (3..<256).first { number in
                    let link = "/proc/self/fd/\(number)"
                    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
                    return target == storage.path
                }
            )
            let (file, pipe) = (dup(Int32(descriptor)), Pipe())
            defer { close(file) }
            dup2(pipe.fileHandleForWriting.fileDescriptor, Int32(descriptor))
            let error = #expect(throws: JournalError.self) { try storage.sync() }
            #expect(error?.code == .storage)
            dup2(file, Int32(descriptor))
            #expect(try number() == first)
            try storage.sync()
            #expect(try number() != first)
            #expect(try storage.read(0..<3) == [1, 2, 3])
        }
    }
}
