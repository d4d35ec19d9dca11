import CollectionChanges
import Foundation
import TestSupport
import Testing

/// A storage in a file behaves like one in memory and reports the errors of the system.
@Suite("The journal in a file", .endsHangs) struct FileJournalTests {
    private struct Failure: Error {}

    private static func withDirectory(_ body: (String) throws -> Void) throws {
        let directory =
            FileManager.default.temporaryDirectory.path + "/journal-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: false
        )
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try body(directory)
    }

    private static func withStorage(_ body: (FileJournalStorage) throws -> Void) throws {
        try withDirectory { try body(try FileJournalStorage(path: $0 + "/j")) }
    }

    private static func target(ofDescriptor number: Int) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
    }

    private func descriptor(of storage: FileJournalStorage) throws -> Int32 {
        Int32(try #require((3..<256).first { Self.target(ofDescriptor: $0) == storage.path }))
    }

    /// Replaces the file with a pipe, which has no positions to read and write, while `body` runs.
    private func withPipe(insteadOf storage: FileJournalStorage, _ body: () throws -> Void) throws {
        let number = try descriptor(of: storage)
        let (file, pipe) = (dup(number), Pipe())
        defer { close(file) }
        dup2(pipe.fileHandleForWriting.fileDescriptor, number)
        defer { dup2(file, number) }
        try body()
    }

    private func attributes(_ storage: FileJournalStorage) throws -> [FileAttributeKey: Any] {
        try FileManager.default.attributesOfItem(atPath: storage.path)
    }

    private func makeDirectory(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    // MARK: Equivalence to memory

    @Test func randomCallsMatchAStorageInMemory() throws {
        for seed in UInt64(0)..<Effort.number(200, usually: 12) {
            try Self.withDirectory { directory in
                var random = SeededNumbers(seed: seed)
                let memory = MemoryJournalStorage()
                var file = try FileJournalStorage(path: directory + "/j")
                for step in 0..<20 {
                    // Sometimes more bytes than a slow system transfers in one call.
                    let count = random.next(below: random.isTrue(oneIn: 10) ? 300_000 : 9)
                    let first = random.next(below: 256)
                    let bytes = (0..<count).map {
                        UInt8(truncatingIfNeeded: first &+ $0 &* 31 &+ $0 >> 8)
                    }
                    let kept = random.next(below: memory.byteCount() + 1)
                    let call = random.next(below: 6)
                    for storage in [memory, file] as [any JournalStorage] {
                        switch call {
                        case 0...2: try storage.append(bytes)
                        case 3: try storage.truncate(to: kept)
                        case 4: try storage.replaceAll(with: bytes)
                        default: try storage.sync()
                        }
                    }
                    if random.isTrue(oneIn: 8) {
                        // Assigning another storage releases the file first.
                        file = try FileJournalStorage(path: directory + "/other")
                        file = try FileJournalStorage(path: directory + "/j")
                    }
                    let size = memory.byteCount()
                    let range = random.next(below: size + 1)..<size
                    let isSame =
                        try file.byteCount() == size && file.read(0..<size) == memory.bytes
                        && file.read(range) == memory.read(range)
                    #expect(isSame, "seed \(seed), step \(step), call \(call)")
                    for wrong in [-1..<0, 0..<(size + 1), (size + 1)..<(size + 2)] {
                        for storage in [memory, file] as [any JournalStorage] {
                            let error = failure(of: try storage.read(wrong))
                            #expect(error?.code == .storage && error?.systemError == nil)
                        }
                    }
                }
                let names = try FileManager.default.contentsOfDirectory(atPath: directory)
                #expect(names.allSatisfy { ["j", "other"].contains($0) })
            }
        }
    }

    @Test func aRelativePathIsResolvedImmediately() throws {
        let storage = try FileJournalStorage(path: "journal-\(UUID().uuidString)")
        defer { _ = unlink(storage.path) }
        #expect(storage.path.hasPrefix(FileManager.default.currentDirectoryPath + "/journal-"))
        // A file in the root directory works too.
        guard access("/", W_OK) == 0 else { return }
        let top = try FileJournalStorage(path: "/journal-\(UUID().uuidString)")
        defer { _ = unlink(top.path) }
        try top.replaceAll(with: [1])
    }

    // MARK: Exclusive use

    @Test(.enabled(if: access("/usr/bin/flock", X_OK) == 0))
    func aFileIsOpenOnlyOnceAndInOneProcess() throws {
        try Self.withDirectory { directory in
            let path = directory + "/j"
            // The other process reports that it has the lock, and holds it until its input ends.
            let (other, output, input) = (Process(), Pipe(), Pipe())
            other.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
            other.arguments = ["-n", path, "sh", "-c", "echo locked; cat"]
            (other.standardOutput, other.standardInput) = (output, input)
            try other.run()
            #expect(output.fileHandleForReading.availableData == Data("locked\n".utf8))
            let error = failure(of: try FileJournalStorage(path: path))
            #expect(error?.code == .inUse)
            try input.fileHandleForWriting.close()
            other.waitUntilExit()
            let storage = try FileJournalStorage(path: path)
            for _ in 0..<2 {
                let error = failure(of: try FileJournalStorage(path: path))
                #expect(error?.code == .inUse && error?.path == path)
                // The file that replaces it is locked as well.
                try storage.replaceAll(with: [1])
            }
            let late = Process()
            late.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
            late.arguments = ["-n", path, "true"]
            try late.run()
            late.waitUntilExit()
            #expect(late.terminationStatus == 1)
        }
    }

    /// A process that was just started may still hold a copy of the descriptor.
    @Test func aCopyOfTheDescriptorDoesNotKeepTheFileLocked() throws {
        try Self.withDirectory { directory in
            var storage = try FileJournalStorage(path: directory + "/j") as FileJournalStorage?
            let copy = dup(try descriptor(of: try #require(storage)))
            defer { close(copy) }
            storage = nil
            storage = try FileJournalStorage(path: directory + "/j")
        }
    }

    // MARK: System errors

    @Test func openingAnythingButAFileReportsTheSystemsError() throws {
        try Self.withDirectory { directory in
            try Data([1]).write(to: URL(fileURLWithPath: directory + "/there"))
            try FileManager.default.createSymbolicLink(
                atPath: directory + "/link",
                withDestinationPath: directory + "/there"
            )
            #expect(mkfifo(directory + "/pipe", 0o600) == 0)
            for (name, number) in [
                ("link", ELOOP), ("", EISDIR), ("pipe", nil), ("none/j", ENOENT),
            ] {
                let path = directory + "/" + name
                let error = failure(of: try FileJournalStorage(path: path))
                #expect(error?.code == .storage && error?.systemError == number, "\(name)")
                #expect(error?.path == path)
            }
        }
    }

    @Test func failedSystemCallsAreReportedAndKeepTheBytes() throws {
        try Self.withStorage { storage in
            try storage.append([1, 2, 3])
            let calls: [(String, Int32, () throws -> Void)] = [
                ("read", ESPIPE, { _ = try storage.read(0..<3) }),
                ("write", ESPIPE, { try storage.append([4]) }),
                ("truncate", EINVAL, { try storage.truncate(to: 1) }),
            ]
            try withPipe(insteadOf: storage) {
                for (name, number, call) in calls {
                    let error = failure(of: try call())
                    #expect(error?.code == .storage && error?.systemError == number, "\(name)")
                    #expect(error?.message.hasPrefix("cannot \(name) \(storage.path): ") == true)
                }
            }
            #expect(throws: JournalError.self) { try storage.truncate(to: -1) }
            #expect(storage.byteCount() == 3)
            try storage.append([5])
            // The error of an earlier call does not matter.
            errno = EINTR
            let bytes = try storage.read(0..<4)
            #expect(bytes == [1, 2, 3, 5])
            // Another program shortens the file.
            #expect(Foundation.truncate(storage.path, 2) == 0)
            errno = EINTR
            let error = failure(of: try storage.read(0..<4))
            #expect(error?.message == "\(storage.path) became shorter than 4 bytes")
        }
    }

    // A pipe cannot be synced.
    @Test func onlyASyncAfterAFailedOneWritesANewFile() throws {
        func number(_ storage: FileJournalStorage) throws -> Int? {
            try attributes(storage)[.systemFileNumber] as? Int
        }
        for isReplaced in [false, true] {
            try Self.withStorage { storage in
                try storage.append([1])
                let first = try number(storage)
                try storage.sync()
                try storage.append([2])
                try storage.sync()
                #expect(try number(storage) == first)
                try withPipe(insteadOf: storage) {
                    let error = failure(of: try storage.sync())
                    #expect(error?.code == .storage)
                }
                #expect(try number(storage) == first)
                if isReplaced { try storage.replaceAll(with: [1, 2]) } else { try storage.sync() }
                let second = try number(storage)
                #expect(second != first)
                try storage.sync()
                #expect(try number(storage) == second && storage.read(0..<2) == [1, 2])
            }
        }
    }

    @Test func aReplacementKeepsTheFilesAttributesAndLeavesNoOtherFile() throws {
        try Self.withStorage { storage in
            #expect(chmod(storage.path, 0o640) == 0)
            let isOwned = geteuid() == 0 && chown(storage.path, 4_321, 4_322) == 0
            // A crash left a temporary file, which cannot even be written.
            try Data([9, 9, 9]).write(to: URL(fileURLWithPath: storage.path + ".new"))
            #expect(chmod(storage.path + ".new", 0o400) == 0)
            try storage.replaceAll(with: [1, 2])
            #expect(try storage.read(0..<2) == [1, 2])
            let found = try attributes(storage)
            #expect(found[.posixPermissions] as? Int == 0o640)
            // Only a superuser's process can keep the owner.
            #expect(!isOwned || found[.ownerAccountID] as? Int == 4_321)
            #expect(!isOwned || found[.groupOwnerAccountID] as? Int == 4_322)
            #expect(!FileManager.default.fileExists(atPath: storage.path + ".new"))
        }
    }

    /// One file is open while the storage exists, and none afterwards, whichever calls fail.
    @Test func noFileStaysOpenAndAFailedReplacementKeepsTheFile() throws {
        try Self.withDirectory { directory in
            let path = directory + "/j"
            func openFiles() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                    .count {
                        Self.target(ofDescriptor: Int($0) ?? -1)?.hasPrefix(directory) == true
                    }
            }
            do {
                let storage = try FileJournalStorage(path: path)
                #expect(mkfifo(directory + "/pipe", 0o600) == 0)
                for other in [path, directory + "/none/j", directory + "/pipe"] {
                    #expect(throws: JournalError.self) { try FileJournalStorage(path: other) }
                }
                try storage.replaceAll(with: [1])
                try storage.replaceAll(with: [2])
                // First the temporary file cannot be removed, then it cannot be renamed.
                try makeDirectory(path + ".new/inside")
                #expect(throws: JournalError.self) { try storage.replaceAll(with: [3]) }
                #expect(try storage.read(0..<1) == [2])
                try FileManager.default.removeItem(atPath: path + ".new")
                try FileManager.default.removeItem(atPath: path)
                try makeDirectory(path + "/inside")
                let error = failure(of: try storage.replaceAll(with: [4]))
                #expect(error?.systemError == EISDIR || error?.systemError == ENOTEMPTY)
                #expect(!FileManager.default.fileExists(atPath: path + ".new"))
                #expect(try openFiles() == 1 && storage.read(0..<1) == [2])
            }
            #expect(try openFiles() == 0)
        }
    }

    // MARK: Process limits: each body runs in its own process

    /// Without standard input, the file gets descriptor 0, and then the directory does.
    @Test func descriptorZeroIsUsable() async {
        await #expect(processExitsWith: .success) {
            try Self.withDirectory { directory in
                _ = close(0)
                let storage = try FileJournalStorage(path: directory + "/j")
                // Another thread of the process may have taken the descriptor; then there is
                // nothing to test.
                guard Self.target(ofDescriptor: 0) == storage.path else { return }
                try storage.append([1, 2, 3])
                try storage.replaceAll(with: [4, 5])
                guard try storage.read(0..<2) == [4, 5] else { throw Failure() }
            }
        }
    }

    /// If only a part of the bytes fits, the storage can remove it and continue.
    @Test func bytesThatDoNotFitAreAnErrorAndOverwriteNothing() async {
        await #expect(processExitsWith: .success) {
            try Self.withStorage { storage in
                try storage.append([1, 2, 3])
                _ = signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit()
                _ = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                let usual = limit
                limit.rlim_cur = 5
                guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
                    throw Failure()
                }
                var number: Int32?
                do throws(JournalError) {
                    try storage.append([4, 5, 6, 7])
                } catch {
                    number = error.systemError
                }
                limit = usual
                _ = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                guard number == EFBIG, try storage.read(0..<3) == [1, 2, 3] else { throw Failure() }
                try storage.truncate(to: 3)
                try storage.append([8])
                guard try storage.read(0..<4) == [1, 2, 3, 8] else { throw Failure() }
            }
        }
    }

    /// The directory allows new files but cannot be opened, so the name of the file may be lost.
    @Test func aDirectoryThatCannotBeSyncedIsAnError() async {
        await #expect(processExitsWith: .success) {
            try Self.withDirectory { directory in
                let user = geteuid()
                // A superuser may open everything.
                if user == 0 {
                    guard chown(directory, 65_534, 65_534) == 0, seteuid(65_534) == 0 else {
                        throw Failure()
                    }
                }
                defer { _ = seteuid(user) }
                guard chmod(directory, 0o300) == 0 else { throw Failure() }
                defer { _ = chmod(directory, 0o700) }
                do throws(JournalError) {
                    _ = try FileJournalStorage(path: directory + "/j")
                } catch {
                    guard error.systemError == EACCES, error.path == directory else {
                        throw Failure()
                    }
                    return
                }
                throw Failure()
            }
        }
    }
}
