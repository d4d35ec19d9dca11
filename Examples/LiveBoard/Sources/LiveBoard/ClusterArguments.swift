import ArgumentParser
import CollectionReplication
import Foundation
import LiveBoardServer

/// How the server takes part in showing lists that several servers show.
struct ClusterArguments: ParsableArguments {
    @Option(
        help: "A broker, such as nats://127.0.0.1:4222, whose lists this server shows too."
    )
    var follow: String?

    @Option(
        help: "The same, and this server stands for leadership: whoever leads makes the lists."
    )
    var lead: String?

    @Option(
        help: "Which lists to follow beside processes and board, with commas: files, churn."
    )
    var lists: String?

    @Option(help: "A folder with a journal for each list, which a leader writes first.")
    var journal: String?

    @Option(help: "Where other servers reach this one, such as http://10.0.0.1:8080.")
    var advertise: String?

    @Option(help: "After how many seconds a leader that is silent is replaced, from 0.1 to 3600.")
    var lease = 2.0

    func validate() throws {
        if follow != nil, lead != nil {
            throw ValidationError("--lead follows too: --follow must be left out")
        }
        if lead == nil, journal != nil || advertise != nil {
            throw ValidationError("--journal and --advertise need --lead")
        }
        if follow == nil, lead == nil, lists != nil {
            throw ValidationError("--lists needs --follow or --lead")
        }
        guard names.allSatisfy({ Self.known.contains($0) }) else {
            let known = Self.known.joined(separator: ", ")
            throw ValidationError("--lists must be some of \(known), with commas between")
        }
        if let advertise, ServerAddress(advertise) == nil {
            throw ValidationError("--advertise must be http://HOST:PORT")
        }
        guard (0.1...3600).contains(lease) else {
            throw ValidationError("--lease must be from 0.1 to 3600")
        }
    }

    private static let known = ["processes", "board", "files", "churn"]

    private var names: [String] {
        lists.map { $0.split(separator: ",").map(String.init) } ?? []
    }

    /// The options that these are; nil where the server is the only one.
    ///
    /// - Throws: where the broker's address cannot be used, or there is no such folder, or key.
    func options() throws -> ClusterOptions? {
        guard let broker = lead ?? follow else { return nil }
        if let journal {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: journal, isDirectory: &isFolder),
                isFolder.boolValue
            else { throw UnreadableInput(description: "\(journal) must be a folder") }
        }
        var options = ClusterOptions(logs: try BrokerLogs.connect(to: broker))
        options.mayLead = lead != nil
        options.lists = names
        options.journal = journal
        options.address = advertise.flatMap { ServerAddress($0) }
        options.leaseDuration = .seconds(lease)
        if let text = ProcessInfo.processInfo.environment["LIVE_BOARD_KEY"] {
            options.key = try Self.key(text)
        }
        return options
    }

    /// In the environment, where other users of the machine do not see it.
    private static func key(_ text: String) throws -> StableHashKey {
        let digits = Array(text)
        guard digits.count == 32, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let low = UInt64(String(digits[..<16]), radix: 16),
            let high = UInt64(String(digits[16...]), radix: 16)
        else {
            throw UnreadableInput(description: "LIVE_BOARD_KEY must be 32 hexadecimal digits")
        }
        return StableHashKey(low: low, high: high)
    }
}
