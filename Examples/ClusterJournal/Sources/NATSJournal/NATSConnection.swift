import CNATS
import CollectionReplication
import Glibc
import JournalSupport

/// A connection to NATS servers that serves the logs of many collections.
///
/// The connection reconnects automatically and indefinitely. Close it when you no longer need it;
/// releasing it and all its logs also closes it.
///
/// ```swift
/// let connection = try NATSConnection(NATSOptions(servers: ["nats://10.0.0.1:4222"]))
/// let log = try connection.log(named: "board")
/// ```
///
/// Threading: every method can be called from any thread and does not block. Completion handlers
/// run one after another on a thread of the client library: move long work to a lane of your own.
///
/// Bounds: callers limit the number of pending calls. A log holds at most about three megabytes of
/// prefetched records for each read position.
public final class NATSConnection: Sendable {
    let link: NATSLink

    /// Creates a connection and starts connecting.
    ///
    /// - Throws: ``JournalSetupError`` for options that the client library rejects.
    public init(_ options: NATSOptions = NATSOptions()) throws(JournalSetupError) {
        try JournalNames.checkNamespace(options.namespace)
        guard (1...65_536).contains(options.readAhead) else {
            throw JournalSetupError(
                .option,
                "Expected a readAhead between 1 and 65,536, found \(options.readAhead)."
            )
        }
        link = try NATSLink(options)
        link.connect()
    }

    deinit { link.close() }

    /// Whether the connection to a server is currently established.
    public var isConnected: Bool { link.isConnected }

    /// Returns a log of a collection, with its own read positions; does not contact a server.
    ///
    /// - Throws: ``JournalSetupError`` with the code ``JournalSetupError/Code/name``, unless the name
    ///   has 1 to 64 letters, digits, hyphens and underscores.
    public func log(named collection: String) throws(JournalSetupError) -> NATSLog {
        try JournalNames.checkCollection(collection)
        return NATSLog(
            connection: self,
            names: NATSNames(collection, namespace: link.options.namespace)
        )
    }

    /// Closes the connection. Pending and later calls fail with ``LogError/Code/unanswered`` or
    /// ``LogError/Code/unavailable``.
    public func close() { link.close() }
}

/// The options of a ``NATSConnection``.
public struct NATSOptions: Hashable, Sendable {
    /// The servers, such as `nats://10.0.0.1:4222`, tried in turn; `tls://` requires TLS.
    public var servers: [String]

    /// The name of this connection in the servers' connection lists.
    public var name: String

    /// The prefix of all subjects and stream names: 1 to 32 letters and digits.
    public var namespace = "cp"

    /// The path of a credentials file with a user's JWT and seed, as written by `nsc`.
    public var credentialsFile: String?

    /// A user and a password.
    public var user: User?

    /// The token that the servers expect.
    public var token: String?

    /// The TLS settings; `nil` leaves encryption to the servers and their addresses.
    public var security: Security?

    /// The time limit of one attempt to connect.
    public var connectTimeout: Duration = .seconds(2)

    /// The time between attempts to connect. The connection never stops trying.
    public var reconnectWait: Duration = .milliseconds(250)

    /// The time limit for an answer; a late one is ``LogError/Code/unanswered``.
    public var answerTimeout: Duration = .seconds(5)

    /// The time after which the connection pings a server. It reconnects after two unanswered
    /// pings.
    public var pingInterval: Duration = .seconds(5)

    /// The size in bytes above which the broker removes a log's oldest records; `nil` is no limit.
    ///
    /// Members that have not read the removed records must load a snapshot. Without this limit,
    /// only the leader's purging bounds a log.
    public var logByteCeiling: Int?

    /// The time for which the broker remembers record identifiers in order to recognize retries.
    public var duplicateWindow: Duration = .seconds(600)

    /// The number of records of a log to request ahead of its reader.
    public var readAhead = 256

    /// The subject prefix of the JetStream API. Change it only for domains and imported accounts.
    public var interfacePrefix = "$JS.API"

    /// Creates options for the given servers.
    public init(servers: [String] = ["nats://127.0.0.1:4222"], name: String = "NATSJournal") {
        self.servers = servers
        self.name = name
    }
}

extension NATSOptions {
    /// A user name and password.
    public struct User: Hashable, Sendable {
        /// The user name.
        public var name: String
        /// The password.
        public var password: String

        /// Creates a user.
        public init(name: String, password: String) {
            self.name = name
            self.password = password
        }
    }

    /// The TLS settings: how client and server verify each other.
    public struct Security: Hashable, Sendable {
        /// A PEM file with certificates of trusted authorities; `nil` uses the system's.
        public var authorityFile: String?
        /// A PEM file with the client's certificate chain; requires ``keyFile``.
        public var certificateFile: String?
        /// A PEM file with the client's private key; requires ``certificateFile``.
        public var keyFile: String?
        /// The name that the server's certificate must contain, if it differs from the address.
        public var expectedHostname: String?
        /// Whether to verify the server's certificate. If `false`, anyone can pose as the server.
        public var verifiesServer = true

        /// Creates TLS settings, which make TLS mandatory.
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

/// The options in the client library's format.
final class LibraryOptions {
    let pointer: OpaquePointer

    init(_ options: NATSOptions) throws(JournalSetupError) {
        var made: OpaquePointer?
        guard natsOptions_Create(&made) == NATS_OK, let made else {
            throw JournalSetupError(.option, "The NATS client library could not create options.")
        }
        pointer = made
        if options.servers.isEmpty {
            throw JournalSetupError(.option, "Expected at least one NATS server.")
        }
        try setServers(options.servers)
        let wait = options.reconnectWait.wholeMilliseconds
        let connecting = options.connectTimeout.wholeMilliseconds
        let ping = options.pingInterval.wholeMilliseconds
        let deadline = options.answerTimeout.wholeMilliseconds
        try check("name", natsOptions_SetName(made, options.name))
        try check("connectTimeout", natsOptions_SetTimeout(made, connecting))
        try check("reconnectWait", natsOptions_SetReconnectWait(made, wait))
        try check("reconnectWait", natsOptions_SetReconnectJitter(made, wait / 4 + 1, wait))
        try check("reconnectWait", natsOptions_SetMaxReconnect(made, -1))
        // Messages must not be buffered without a connection, because their callers receive an
        // error.
        try check("reconnectWait", natsOptions_SetReconnectBufSize(made, 0))
        try check("pingInterval", natsOptions_SetPingInterval(made, ping))
        try check("pingInterval", natsOptions_SetMaxPingsOut(made, 2))
        try check("answerTimeout", natsOptions_SetWriteDeadline(made, deadline))
        try check("name", natsOptions_SetIOBufSize(made, 65_536))
        if let file = options.credentialsFile {
            try requireReadable(file, "credentialsFile")
            let status = natsOptions_SetUserCredentialsFromFiles(made, file, nil)
            try check("credentialsFile", status)
        }
        if let user = options.user {
            try check("user", natsOptions_SetUserInfo(made, user.name, user.password))
        }
        if let token = options.token { try check("token", natsOptions_SetToken(made, token)) }
        if let security = options.security { try setSecurity(security) }
    }

    deinit { natsOptions_Destroy(pointer) }

    private func check(_ what: String, _ status: natsStatus) throws(JournalSetupError) {
        if status == NATS_OK { return }
        let text = nats_GetLastError(nil).map { String(cString: $0) } ?? ""
        let name = String(cString: natsStatus_GetText(status))
        throw JournalSetupError(.option, "NATS rejects the option \(what): \(name) \(text)")
    }

    private func setServers(_ servers: [String]) throws(JournalSetupError) {
        let copies = servers.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        var pointers = copies.map { UnsafePointer($0) }
        let count = Int32(pointers.count)
        try check("servers", natsOptions_SetServers(pointer, &pointers, count))
    }

    private func setSecurity(_ security: NATSOptions.Security) throws(JournalSetupError) {
        try check("security", natsOptions_SetSecure(pointer, true))
        if let file = security.authorityFile {
            try requireReadable(file, "authorityFile")
            try check("authorityFile", natsOptions_LoadCATrustedCertificates(pointer, file))
        }
        switch (security.certificateFile, security.keyFile) {
        case (let certificate?, let key?):
            let status = natsOptions_LoadCertificatesChain(pointer, certificate, key)
            try check("certificateFile", status)
        case (nil, nil): break
        default:
            throw JournalSetupError(
                .option,
                "Expected both a certificate and its key, or neither."
            )
        }
        if let name = security.expectedHostname {
            try check("expectedHostname", natsOptions_SetExpectedHostname(pointer, name))
        }
        if !security.verifiesServer {
            try check("verifiesServer", natsOptions_SkipServerVerification(pointer, true))
        }
    }

    private func requireReadable(_ file: String, _ what: String) throws(JournalSetupError) {
        if access(file, R_OK) == 0 { return }
        throw JournalSetupError(.option, "Expected a readable file for \(what), found \(file)")
    }
}
