/// What a server shows, and where; the defaults are those of the command.
package struct ServerOptions: Sendable {
    /// What a section of the processes is.
    package enum Grouping: String, CaseIterable, Sendable {
        /// Who runs them.
        case user
        /// What they do.
        case state
    }

    /// The address to listen on: only this machine's own unless told otherwise.
    package var host = "127.0.0.1"
    /// The port; 0 for one that is free.
    package var port = 8080
    /// What a section of the processes is.
    package var grouping = Grouping.user
    /// How often processes are looked at.
    package var interval = Duration.seconds(1)
    /// The folder whose files are a list; nil for no such list.
    package var files: String?
    /// How often its files are looked for.
    package var filesInterval = Duration.seconds(10)
    /// The least time between two announcements of a list.
    package var announcementInterval = Duration.milliseconds(100)
    /// How often readers who have everything are told so.
    package var heartbeat = Duration.seconds(10)
    /// How many connections there may be.
    package var connections = 20_000
    /// How many of them may come from one address.
    package var connectionsPerAddress = 1000
    /// How many searches there may be at once.
    package var searches = 64
    /// How long a search stays without readers.
    package var searchLinger = Duration.seconds(5)
    /// How long a connection may have no room for anything before it is closed.
    package var writeTimeout = Duration.seconds(120)
    /// How many bytes the machine may keep of what a connection has not taken yet. Small, since who is slow is
    /// better told less, later; the machine's own choice grows to megabytes for each.
    package var sendBuffer = 128 << 10
    /// How long a request may take to come in.
    package var requestTimeout = Duration.seconds(30)
    /// The folder of the page's files; nil for the one beside the sources.
    package var page: String?
    /// How often a list of random rows is changed in a second, to have something to test with; 0 for as often as it can
    /// be; nil for no such list.
    package var churn: Double?
    /// After how many changes it rests; nil for never.
    package var churnSets: Int?
    /// How it shows lists together with other servers; nil where it is the only one.
    package var cluster: ClusterOptions?

    /// The defaults.
    package init() {}
}
