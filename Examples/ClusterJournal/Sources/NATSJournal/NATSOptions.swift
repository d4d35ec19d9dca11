/// How a ``NATSConnection`` is made.
public struct NATSOptions: Hashable, Sendable {
    /// The servers, such as `nats://10.0.0.1:4222`, tried in turn; `tls://` asks for TLS.
    public var servers: [String]

    /// What the servers call this connection in their lists.
    public var name: String

    /// The first part of all subjects, and of the names of streams: 1 to 32 letters and digits.
    public var namespace = "cp"

    /// A file with a user's token and seed, as `nsc` writes it.
    public var credentialsFile: String?

    /// A user and a password.
    public var user: User?

    /// A token that the servers expect.
    public var token: String?

    /// Whether and how the connection is encrypted; nil leaves it to the servers and their addresses.
    public var security: Security?

    /// How long one attempt to connect may take.
    public var connectTimeout: Duration = .seconds(2)

    /// How long it waits between attempts to connect, which never end.
    public var reconnectWait: Duration = .milliseconds(250)

    /// How long an answer may take; later it is ``LogError/Code/unanswered``.
    public var answerTimeout: Duration = .seconds(5)

    /// How often a silent server is asked whether it is there; twice without an answer, and the connection is given up.
    public var pingInterval: Duration = .seconds(5)

    /// Whether each message is handed to the kernel on its own.
    ///
    /// Without it, messages that are waiting are written together, and at once when none is waiting any more, which is as
    /// soon for a single one, and twice as fast for many.
    public var sendsAsSoonAsPossible = false

    /// How many bytes a log may take, after which the broker removes the oldest records; nil is no ceiling.
    ///
    /// Members then meet a log that begins later than they expected, which costs them a snapshot. Without a ceiling it is
    /// the leader's purging that bounds a log.
    public var logByteCeiling: Int?

    /// How long the broker knows the identifiers of records, to recognize second attempts.
    public var duplicateWindow: Duration = .seconds(600)

    /// How many records and bytes of a log are asked for ahead of who reads it.
    public var readAhead = 256

    /// Where the broker's own calls are: another one only for domains and imported accounts.
    public var interfacePrefix = "$JS.API"

    /// Makes options with some servers.
    public init(servers: [String] = ["nats://127.0.0.1:4222"], name: String = "NATSJournal") {
        self.servers = servers
        self.name = name
    }
}

extension NATSOptions {
    /// A user and a password.
    public struct User: Hashable, Sendable {
        /// The user's name.
        public var name: String
        /// The password.
        public var password: String

        /// Makes a user.
        public init(name: String, password: String) {
            self.name = name
            self.password = password
        }
    }

    /// TLS: whom the servers are believed by, and by what this side is.
    public struct Security: Hashable, Sendable {
        /// A file of certificates of authorities in PEM; nil is the system's.
        public var authorityFile: String?
        /// A file with this side's certificate chain in PEM, with ``keyFile``.
        public var certificateFile: String?
        /// A file with this side's private key in PEM, with ``certificateFile``.
        public var keyFile: String?
        /// The name that a server's certificate must have, where it is not that of its address.
        public var expectedHostname: String?
        /// Whether a server's certificate is checked. Without, anyone may be the server.
        public var verifiesServer = true

        /// Makes settings of TLS, which is then required.
        public init(
            authorityFile: String? = nil,
            certificateFile: String? = nil,
            keyFile: String? = nil
        ) {
            self.authorityFile = authorityFile
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
    }
}
