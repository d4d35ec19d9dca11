import CNATS
import Glibc
import JournalSupport

/// The options of a ``NATSConnection``.
public struct NATSOptions: Hashable, Sendable {
    /// The servers, such as `nats://10.0.0.1:4222`, tried in turn; `tls://` asks for TLS.
    public var servers: [String]

    /// The name of this connection in the servers' lists.
    public var name: String

    /// The first part of all subjects, and of the names of streams: 1 to 32 letters and digits.
    public var namespace = "cp"

    /// A file with a user's token and seed, as `nsc` writes it.
    public var credentialsFile: String?

    /// A user and a password.
    public var user: User?

    /// The token that the servers expect.
    public var token: String?

    /// The encryption of the connection; `nil` leaves it to the servers and their addresses.
    public var security: Security?

    /// The longest time that one attempt to connect may take.
    public var connectTimeout: Duration = .seconds(2)

    /// The time between attempts to connect, which never end.
    public var reconnectWait: Duration = .milliseconds(250)

    /// The longest time that an answer may take; a later one is ``LogError/Code/unanswered``.
    public var answerTimeout: Duration = .seconds(5)

    /// The time after which a silent server is asked whether it is there. After two questions without an answer the
    /// connection is given up.
    public var pingInterval: Duration = .seconds(5)

    /// Whether each message is handed to the kernel on its own.
    ///
    /// Without it, messages that are waiting are written together, as soon as no more are waiting. A single message is
    /// written as soon either way, and many take fewer writes.
    public var sendsAsSoonAsPossible = false

    /// The number of bytes at which the broker removes the oldest records of a log; `nil` is no ceiling.
    ///
    /// Members then meet a log that begins later than they expected, which costs them a snapshot. Without a ceiling it is
    /// the leader's purging that bounds a log.
    public var logByteCeiling: Int?

    /// The time for which the broker knows the identifiers of records, to recognize second attempts.
    public var duplicateWindow: Duration = .seconds(600)

    /// The number of records of a log that are asked for ahead of its reader.
    public var readAhead = 256

    /// The subject of the broker's own calls: another one only for domains and imported accounts.
    public var interfacePrefix = "$JS.API"

    /// Makes options for some servers.
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

    /// The settings of TLS: how each side knows the other.
    public struct Security: Hashable, Sendable {
        /// A file of certificates of authorities in PEM; `nil` for the system's.
        public var authorityFile: String?
        /// A file with this side's certificate chain in PEM, with ``keyFile``.
        public var certificateFile: String?
        /// A file with this side's private key in PEM, with ``certificateFile``.
        public var keyFile: String?
        /// The name that a server's certificate must have, if it is not that of its address.
        public var expectedHostname: String?
        /// Whether a server's certificate is checked. Otherwise anyone may be the server.
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

/// The same options in the client library's form.
final class LibraryOptions {
    let pointer: OpaquePointer

    init(_ options: NATSOptions) throws(JournalSetupError) {
        var made: OpaquePointer?
        guard natsOptions_Create(&made) == NATS_OK, let made else {
            throw JournalSetupError(.option, "The client library of NATS gives no options.")
        }
        pointer = made
        if options.servers.isEmpty {
            throw JournalSetupError(.option, "A connection to NATS needs at least one server.")
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
        // What is published while there is no connection must fail, not be sent later: it was answered as not done.
        try check("reconnectWait", natsOptions_SetReconnectBufSize(made, 0))
        try check("pingInterval", natsOptions_SetPingInterval(made, ping))
        try check("pingInterval", natsOptions_SetMaxPingsOut(made, 2))
        try check("answerTimeout", natsOptions_SetWriteDeadline(made, deadline))
        let isSoon = options.sendsAsSoonAsPossible
        try check("sendsAsSoonAsPossible", natsOptions_SetSendAsap(made, isSoon))
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
        throw JournalSetupError(.option, "The option \(what) is not taken: \(name) \(text)")
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
                "A certificate and its key are given together, or neither is."
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
        throw JournalSetupError(.option, "The file of \(what) cannot be read: \(file)")
    }
}
