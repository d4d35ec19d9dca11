import CollectionChanges
import Foundation
import TestSupport
import Testing

/// What a storage does where the whole process is short of something. Each body runs in a process of its own.
@Suite("Files and what the process lacks", .endsHangs)
struct FileJournalProcessTests {
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

    /// Without standard input the file gets its number, and then the directory does.
    @Test func descriptorZeroIsOneLikeAllOthers() async {
        await #expect(processExitsWith: .success) {
            try Self.withDirectory { directory in
                _ = close(0)
                let storage = try FileJournalStorage(path: directory + "/j")
                // Another thread of the process may have been faster, and then there is nothing to see.
                let link = "/proc/self/fd/0"
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
                guard target == storage.path else { return }
                try storage.append([1, 2, 3])
                try storage.replaceAll(with: [4, 5])
                guard try storage.read(0..<2) == [4, 5] else { throw Failure() }
            }
        }
    }

    /// A part of the bytes fits; the rest is written behind it or not at all.
    @Test func whatDoesNotFitIsAnErrorAndNothingElseIsOverwritten() async {
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

    /// A file can be made in it, and it cannot be opened: nobody knows whether the name will last.
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
