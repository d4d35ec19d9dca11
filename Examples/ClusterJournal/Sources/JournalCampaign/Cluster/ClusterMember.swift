import BrokerProcesses
import Foundation
import Glibc

/// A member as the campaign has it: a process that lives, stands still, dies and is started again, its journal, and its
/// way to the broker.
final class ClusterMember {
    let index: Int
    let relay: Relay
    private let program: String
    private let folder: URL
    private let inbox: ReportInbox
    private var options: MemberOptions
    private var process: ChildProcess?
    private var input: Int32 = -1
    private(set) var isFrozen = false
    /// How often it was started.
    private(set) var life = 0
    /// Whether it is to stand for leadership, also after it was started again.
    private(set) var stands: Bool
    /// The leadership that it told of last, and has not told the end of.
    var term: CampaignTerm?

    init(
        _ index: Int,
        _ kind: BrokerKind,
        port: UInt16,
        program: String,
        folder: URL,
        inbox: ReportInbox,
        stands: Bool,
        pause: Duration
    ) throws {
        (self.index, self.program, self.folder, self.inbox) = (index, program, folder, inbox)
        self.stands = stands
        relay = try Relay(to: port)
        options = MemberOptions()
        options.kind = kind
        options.port = relay.port
        options.journal = folder.appendingPathComponent("member-\(index).journal").path
        options.pause = pause
    }

    var isAlive: Bool { process != nil }

    /// Whether it lives and does something.
    var isActive: Bool { isAlive && !isFrozen }

    func start() throws {
        guard !isAlive else { return }
        life += 1
        let (toChild, fromChild) = (try LocalSocket.makePipe(), try LocalSocket.makePipe())
        options.stands = stands
        process = try ChildProcess(
            [program] + options.arguments,
            input: toChild.read,
            output: fromChild.write,
            log: folder.appendingPathComponent("member-\(index).log").path
        )
        _ = close(toChild.read)
        _ = close(fromChild.write)
        input = toChild.write
        inbox.read(fromChild.read, of: index, life: life)
    }

    /// Ends it, as `kill -9`.
    func kill() {
        process?.end()
        process = nil
        (isFrozen, term) = (false, nil)
        if input >= 0 { _ = close(input) }
        input = -1
    }

    func removeJournal() { try? FileManager.default.removeItem(atPath: options.journal) }

    func freeze() {
        process?.freeze()
        isFrozen = isAlive
    }

    func resume() {
        process?.resume()
        isFrozen = false
    }

    /// How it ended, where nobody ended it; nil while it lives.
    func ownEnding() -> String? {
        guard let process, process.hasEnded() else { return nil }
        return process.ending
    }

    func stand() {
        stands = true
        tell("stand")
    }

    func resign() {
        stands = false
        tell("resign")
    }

    /// Lets it do something; what it is told while it stands still it does afterwards.
    func tell(_ line: String) {
        guard isAlive else { return }
        let bytes = Array("\(line)\n".utf8)
        _ = write(input, bytes, bytes.count)
    }

    /// The most memory that its process has had, in bytes; 0 where there is none.
    var peakMemory: Int {
        guard let process,
            let text = try? String(
                contentsOfFile: "/proc/\(process.identifier)/status",
                encoding: .utf8
            ),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let count = line.split(separator: " ").compactMap({ Int($0) }).first
        else { return 0 }
        return count << 10
    }
}
