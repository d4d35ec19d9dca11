import Synchronization

/// How many connections there are, in all and from each address.
final class ConnectionLimits: Sendable {
    private struct Counts {
        var all = 0
        var byAddress: [String: Int] = [:]
    }

    let all: Int
    let perAddress: Int
    private let counts = Mutex(Counts())

    init(all: Int, perAddress: Int) {
        self.all = all
        self.perAddress = perAddress
    }

    var count: Int { counts.withLock { $0.all } }

    /// Counts one more, or says why there may be none: whoever is admitted must be released.
    func admit(_ address: String) -> RequestFault? {
        counts.withLock { counts in
            if counts.all >= all { return .tooManyConnections(all) }
            let ofAddress = counts.byAddress[address, default: 0]
            if ofAddress >= perAddress { return .tooManyFromAddress(perAddress) }
            counts.all += 1
            counts.byAddress[address] = ofAddress + 1
            return nil
        }
    }

    func release(_ address: String) {
        counts.withLock { counts in
            counts.all -= 1
            let left = counts.byAddress[address, default: 1] - 1
            counts.byAddress[address] = left > 0 ? left : nil
        }
    }
}

extension RequestFault {
    fileprivate static func tooManyConnections(_ limit: Int) -> RequestFault {
        RequestFault(
            status: 503,
            code: "tooManyConnections",
            message: "there are \(limit) connections already: try again later"
        )
    }

    fileprivate static func tooManyFromAddress(_ limit: Int) -> RequestFault {
        RequestFault(
            status: 429,
            code: "tooManyFromAddress",
            message: "there are \(limit) connections from this address already"
        )
    }
}
