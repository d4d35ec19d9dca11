import Foundation
import Glibc
import JournalSupport

/// What members told and nobody has looked at yet: a thread for each life of a process reads its lines.
final class ReportInbox: Sendable {
    /// A line of a member.
    struct Entry: Sendable {
        var member: Int
        var life: Int
        /// Nil for a line that is none.
        var report: TimedReport?
        var line: String
    }

    private let entries = Guarded<[Entry]>([])
    private let signal = DispatchSemaphore(value: 0)

    func read(_ descriptor: Int32, of member: Int, life: Int) {
        Thread.detachNewThread { [self] in
            var rest: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = Glibc.read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                rest += buffer[..<count]
                // A last line that is not whole is of a process that was killed.
                var lines = rest.split(separator: 10, omittingEmptySubsequences: false)
                rest = Array(lines.removeLast())
                add(lines.map { String(decoding: $0, as: UTF8.self) }, member, life)
            }
            close(descriptor)
        }
    }

    private func add(_ lines: [String], _ member: Int, _ life: Int) {
        if lines.isEmpty { return }
        let new = lines.map {
            Entry(member: member, life: life, report: TimedReport($0), line: $0)
        }
        entries.withLock { $0 += new }
        signal.signal()
    }

    /// Takes what there is; waits for it until a time.
    func take(until time: UInt64) -> [Entry] {
        func take() -> [Entry] {
            entries.withLock { entries in
                defer { entries = [] }
                return entries
            }
        }
        let found = take()
        guard found.isEmpty else { return found }
        let now = MonotonicClock.now
        guard time > now else { return [] }
        _ = signal.wait(timeout: .now() + .nanoseconds(Int(time - now)))
        return take()
    }
}
