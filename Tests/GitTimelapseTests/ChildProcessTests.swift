import Foundation
import Testing

@testable import git_timelapse

@Suite(.serialized) struct ChildProcessTests {
    @Test func theWayAChildEndedIsToldAgainAndAgain() throws {
        let endings: [(script: String, exit: ChildProcess.Exit)] = [
            ("exit 0", .status(0)), ("exit 3", .status(3)), ("exit 255", .status(255)),
            ("kill -9 $$", .signal(9)), ("kill -15 $$", .signal(15)),
        ]
        for (script, exit) in endings {
            let child = try ChildProcess("/bin/sh", ["-c", script], environment: [:])
            #expect(child.wait() == exit)
            #expect(child.wait() == exit)
            child.end()
            #expect(child.wait() == exit)
        }
    }

    @Test func endingAChildThatRunsIsASignal() throws {
        let child = try ChildProcess("/bin/sleep", ["100"], environment: [:])
        child.end()
        #expect(child.wait() == .signal(SIGTERM))
    }

    @Test func programThatCannotBeStartedIsTheSystemsError() {
        let missing = #expect(throws: SystemError.self) {
            try ChildProcess("/nonexistent/program", [], environment: [:])
        }
        #expect(missing == SystemError(number: ENOENT))
        #expect(missing?.description == "No such file or directory")
        #expect(throws: SystemError(number: EACCES)) {
            try ChildProcess("/", [], environment: [:])
        }
    }

    @Test func waitingGoesOnAfterASignal() throws {
        let exit = interrupting {
            try? ChildProcess("/bin/sh", ["-c", "/bin/sleep 0.05; exit 3"], environment: [:]).wait()
        }
        #expect(exit == .status(3))
    }

    @Test func childrenLeaveNothingBehind() async {
        await #expect(processExitsWith: .success) {
            let before = openDescriptors()
            func holdAChild() throws {
                let child = try ChildProcess("/bin/sleep", ["100"], environment: [:])
                withExtendedLifetime(child) { demand(openDescriptors() == before + 2) }
            }
            try holdAChild()
            demand(openDescriptors() == before)
            // Nobody is left to be waited for.
            demand(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD)
            demand((try? ChildProcess("/nonexistent", [], environment: [:])) == nil)
            demand(openDescriptors() == before)

            // As many descriptors as it takes, but for some: the pipes have four ends.
            for free in 0..<4 {
                limitDescriptors(leaving: free)
                do throws(SystemError) {
                    _ = try ChildProcess("/bin/true", [], environment: [:])
                    demand(false)
                } catch {
                    demand(error.number == EMFILE)
                }
                demand(openDescriptors() == before)
            }
            var reader = TwoPipeReader(output: STDOUT_FILENO, errors: STDERR_FILENO)
            // Waiting for more than may be open at all is an error of the waiting.
            setDescriptorLimit(1)
            do throws(GitError) {
                _ = try reader.next()
                demand(false)
            } catch {
                demand(error.code == .gitFailed)
                demand(error.message == "cannot wait for git: Invalid argument")
            }
        }
    }

    @Test func childrenInheritNothing() async {
        await #expect(processExitsWith: .success) {
            // Another standard input than children are to have, with signals ignored and blocked.
            demand(dup2(open("/proc/self/status", O_RDONLY), STDIN_FILENO) == STDIN_FILENO)
            demand(output("/bin/readlink", ["/proc/self/fd/0"]) == "/dev/null\n")

            let listing = output("/bin/ls", ["/proc/self/fd"])
            let other = try ChildProcess("/bin/sleep", ["100"], environment: [:])
            withExtendedLifetime(other) {
                demand(output("/bin/ls", ["/proc/self/fd"]) == listing)
            }

            let numbers = [SIGHUP, SIGINT, SIGPIPE, SIGTERM]
            for number in numbers { signal(number, SIG_IGN) }
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_BLOCK, &all, nil)
            let status = output("/bin/grep", ["^Sig", "/proc/self/status"])
            func mask(_ name: String) -> UInt64? {
                status.split(separator: "\n").first { $0.hasPrefix(name) }
                    .flatMap { UInt64($0.split(separator: "\t")[1], radix: 16) }
            }
            demand(mask("SigBlk:") == 0)
            demand(
                mask("SigIgn:").map { mask in numbers.allSatisfy { mask >> ($0 - 1) & 1 == 0 } }
                    ?? false
            )
        }
    }
}

/// Ends a process of a test where something is not as it should be.
private func demand(_ isTrue: Bool, line: Int = #line) {
    guard !isTrue else { return }
    print("line \(line) does not hold")
    exit(EXIT_FAILURE)
}

/// How many files, pipes and devices are open; what Dispatch opens for itself at some time is of no kind.
private func openDescriptors() -> Int {
    (0..<256).count { number in
        var status = stat()
        return fstat(Int32(number), &status) == 0 && status.st_mode & S_IFMT != 0
    }
}

/// Makes `count` more descriptors possible, and no other.
private func limitDescriptors(leaving count: Int) {
    var (limit, free) = (0, 0)
    while free < count || fcntl(Int32(limit), F_GETFD) != -1 {
        if fcntl(Int32(limit), F_GETFD) == -1 { free += 1 }
        limit += 1
    }
    setDescriptorLimit(limit)
}

private func setDescriptorLimit(_ limit: Int) {
    let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
    var limits = rlimit()
    demand(getrlimit(resource, &limits) == 0)
    limits.rlim_cur = rlim_t(limit)
    demand(setrlimit(resource, &limits) == 0)
}

/// What a program prints that prints little.
private func output(_ path: String, _ arguments: [String]) -> String {
    guard let child = try? ChildProcess(path, arguments, environment: [:]) else { return "" }
    return withExtendedLifetime(child) {
        let handle = FileHandle(fileDescriptor: child.output)
        return String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
    }
}
