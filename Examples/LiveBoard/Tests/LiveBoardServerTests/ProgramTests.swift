import Foundation
import Testing

/// The program itself.
@Suite(.timeLimit(.minutes(2)))
struct ProgramTests {
    /// Starts the program. One that hangs is killed after half a minute.
    private func start(
        _ arguments: [String],
        descriptors: Int = 1000
    ) throws -> (Process, output: Pipe, errors: Pipe) {
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        let program = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("LiveBoard").path
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let command = "ulimit -n \(descriptors); exec \"$0\" \"$@\""
        process.arguments = ["-c", command, program] + arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let number = process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + 30) {
            if process.isRunning { kill(number, SIGKILL) }
        }
        return (process, output, errors)
    }

    @Test func theProgramPrintsItsAddressAndEndsBySignal() throws {
        let (process, output, _) = try start(["--port", "0"])
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        #expect(
            line.wholeMatch(of: /LiveBoard is at http:\/\/127\.0\.0\.1:\d+\/\n/) != nil,
            "\(line)"
        )
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }

    /// Connections never take the descriptors that the lists need.
    @Test func aProcessWithFewDescriptorsGoesOn() async throws {
        let (process, output, _) = try start(["--port", "0"], descriptors: 200)
        defer { kill(process.processIdentifier, SIGKILL) }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = try #require(line.firstMatch(of: /:(\d+)\//).flatMap { UInt16($0.1) })
        let silent = (0..<300).map { _ in connection(to: port) }
        let folder = "/proc/\(process.processIdentifier)/fd"
        func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: folder).count
        }
        while try descriptors() < 100 { try await Task.sleep(for: .milliseconds(10)) }
        // It looks at the processes meanwhile, with descriptors to spare.
        for _ in 0..<20 {
            try await Task.sleep(for: .milliseconds(100))
            #expect(try process.isRunning && descriptors() < 180)
        }
        for socket in silent { close(socket) }
        let asking = connection(to: port)
        defer { close(asking) }
        let request = Array("GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8)
        var answer = [UInt8](repeating: 0, count: 15)
        #expect(write(asking, request, request.count) == request.count)
        #expect(recv(asking, &answer, answer.count, Int32(MSG_WAITALL)) == answer.count)
        #expect(answer == Array("HTTP/1.1 200 OK".utf8))
    }

    private func connection(to port: UInt16) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return connection
    }

    @Test(arguments: [
        ("--port x", 2), ("--port 70000", 2), ("--unknown", 2), ("--interval 0", 2),
        ("--files /nowhere/at/all --port 0", 2), ("--host 256.0.0.1 --port 0", 1),
        ("--follow nats://127.0.0.1:4222 --lead nats://127.0.0.1:4222", 2),
        ("--follow nats://127.0.0.1:4222 --files .", 2), ("--follow nowhere", 2),
        ("--journal .", 2), ("--advertise http://127.0.0.1:80", 2), ("--follow-files", 2),
        ("--lead nats://127.0.0.1:4222 --lease 0", 2),
        ("--lead nats://127.0.0.1:4222 --host 0.0.0.0", 2),
        ("--lead nats://127.0.0.1:4222 --advertise 127.0.0.1:80", 2),
        ("--lead nats://127.0.0.1:4222 --journal /nowhere/at/all", 2),
    ])
    func badUsageIsOneLine(arguments: String, status: Int) throws {
        let (process, _, errors) = try start(arguments.split(separator: " ").map(String.init))
        let bytes = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == status)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.split(separator: "\n").count { $0.hasPrefix("LiveBoard: ") } == 1, "\(text)")
    }
}
