import CollectionChanges
import Foundation
import Testing

/// What the storage in a file makes of what the system says.
@Suite struct FileJournalSystemTests {
    private func withStorage(_ body: (FileJournalStorage) throws -> Void) throws {
        let directory =
            FileManager.default.temporaryDirectory.path + "/journal-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: false
        )
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try body(try FileJournalStorage(path: directory + "/j"))
    }

    /// Puts a pipe, which has no places to read and write, in the file's stead while `body` runs.
    private func withPipe(insteadOf storage: FileJournalStorage, _ body: () throws -> Void) throws {
        let number = try #require(
            (3..<256).first { number in
                let link = "/proc/self/fd/\(number)"
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
                return target == storage.path
            }
        )
        let (file, pipe) = (dup(Int32(number)), Pipe())
        defer { close(file) }
        dup2(pipe.fileHandleForWriting.fileDescriptor, Int32(number))
        defer { dup2(file, Int32(number)) }
        try body()
    }

    private func fileNumber(_ storage: FileJournalStorage) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: storage.path)
        return attributes[.systemFileNumber] as? Int
    }

    @Test func placesThatAreNotThereAreToldWithoutAskingTheSystem() throws {
        try withStorage { storage in
            try storage.append([1, 2, 3, 4])
            for range in [-1..<2, -3..<(-1), 0..<5, 4..<5, 5..<6] {
                let error = #expect(throws: JournalError.self) { try storage.read(range) }
                #expect(error?.message == "bytes \(range) must be among 4, but are not")
                #expect(error?.systemError == nil)
            }
        }
    }

    @Test func whatTheSystemCannotDoIsToldWithItsErrorAndLeavesTheBytes() throws {
        try withStorage { storage in
            try storage.append([1, 2, 3])
            let calls: [(String, Int32, () throws -> Void)] = [
                ("read", ESPIPE, { _ = try storage.read(0..<3) }),
                ("write", ESPIPE, { try storage.append([4]) }),
                ("truncate", EINVAL, { try storage.truncate(to: 1) }),
            ]
            try withPipe(insteadOf: storage) {
                for (name, number, call) in calls {
                    let error = #expect(throws: JournalError.self) { try call() }
                    #expect(error?.code == .storage && error?.systemError == number, "\(name)")
                    #expect(error?.message.hasPrefix("cannot \(name) \(storage.path): ") == true)
                }
            }
            #expect(storage.byteCount() == 3)
            try storage.append([5])
            #expect(try storage.read(0..<4) == [1, 2, 3, 5])
        }
    }

    @Test func anErrorOfAnEarlierCallDoesNotMatter() throws {
        try withStorage { storage in
            try storage.append([1, 2, 3, 4])
            errno = EINTR
            let bytes = try storage.read(0..<4)
            #expect(bytes == [1, 2, 3, 4])
            #expect(truncate(storage.path, 2) == 0)
            errno = EINTR
            let error = #expect(throws: JournalError.self) { try storage.read(0..<4) }
            #expect(error?.message == "\(storage.path) became shorter than 4 bytes")
        }
    }

    @Test func onlyTheSyncAfterAFailedOneWritesAnotherFile() throws {
        try withStorage { storage in
            let first = try fileNumber(storage)
            for count in 1...2 {
                try storage.append([UInt8(count)])
                try storage.sync()
                #expect(try fileNumber(storage) == first)
            }
            try withPipe(insteadOf: storage) {
                #expect(throws: JournalError.self) { try storage.sync() }
            }
            try storage.sync()
            let second = try fileNumber(storage)
            #expect(second != first)
            for _ in 0..<2 {
                try storage.sync()
                #expect(try fileNumber(storage) == second)
            }
            #expect(try storage.read(0..<2) == [1, 2])
        }
    }

    @Test func aReplacementMakesASuspectFileTrusted() throws {
        try withStorage { storage in
            try withPipe(insteadOf: storage) {
                #expect(throws: JournalError.self) { try storage.sync() }
            }
            try storage.replaceAll(with: [7])
            let number = try fileNumber(storage)
            try storage.sync()
            #expect(try fileNumber(storage) == number)
        }
    }

    // MARK: For superusers

    @Test(.enabled(if: geteuid() == 0))
    func aSuperusersReplacementHasTheOwnerOfTheFileBefore() throws {
        try withStorage { storage in
            guard chown(storage.path, 4_321, 4_322) == 0 else { return }
            try storage.replaceAll(with: [1])
            let attributes = try FileManager.default.attributesOfItem(atPath: storage.path)
            #expect(attributes[.ownerAccountID] as? Int == 4_321)
            #expect(attributes[.groupOwnerAccountID] as? Int == 4_322)
        }
    }

    @Test(.enabled(if: access("/", W_OK) == 0))
    func aFileMayLieInTheTopmostDirectory() throws {
        let path = "/journal-\(UUID().uuidString)"
        defer { _ = unlink(path) }
        let storage = try FileJournalStorage(path: path)
        try storage.replaceAll(with: [1])
        #expect(try storage.read(0..<1) == [1])
    }
}
