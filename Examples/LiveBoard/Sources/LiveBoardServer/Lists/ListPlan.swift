import CollectionPublishing
import Logging

/// A list that a server may have: what it is called, and what makes it.
struct ListPlan: Sendable {
    let name: String
    let title: String
    /// Nil where this server can only follow it.
    var feed: (any ListFeed)?

    /// Makes the list with its controller.
    func makeList(
        _ surroundings: ListSurroundings,
        lane: (any Lane)?,
        _ names: RowNames
    ) -> LiveList {
        LiveList(name: name, title: title, surroundings: surroundings, lane: lane, names: names)
    }

    /// The names of all lists, with their titles, in the order in which a page shows them.
    static let titles = [
        ("processes", "Processes"), ("board", "Board"), ("files", "Files"), ("churn", "Churn"),
    ]

    /// The lists that a server with these options has.
    static func all(_ options: ServerOptions, _ logger: Logger) -> [ListPlan] {
        titles.compactMap { name, title in
            let feed = feed(of: name, options, logger)
            let isFollowed = options.cluster?.lists.contains(name) == true
            guard feed != nil || isFollowed else { return nil }
            return ListPlan(name: name, title: title, feed: feed)
        }
    }

    private static func feed(
        of name: String,
        _ options: ServerOptions,
        _ logger: Logger
    ) -> (any ListFeed)? {
        switch name {
        case "processes": RefreshFeed.processes(options, logger)
        case "board": BoardFeed()
        case "files": options.files.map { RefreshFeed.files(in: $0, options, logger) }
        default:
            options.churn.map { rate in
                ChurnFeed(
                    interval: rate > 0 ? .seconds(1 / rate) : .zero,
                    limit: options.churnSets,
                    logger: logger
                )
            }
        }
    }
}
