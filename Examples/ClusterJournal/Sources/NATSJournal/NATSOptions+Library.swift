import CNATS
import Glibc
import JournalSupport

// The same options in the client library's form.

/// Options of the client library, which belong to who made them.
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
        try check("name", natsOptions_SetName(made, options.name))
        try setReconnecting(options)
        try setUser(options)
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
        try check(
            "servers",
            natsOptions_SetServers(pointer, &pointers, Int32(pointers.count))
        )
    }

    private func setReconnecting(_ options: NATSOptions) throws(JournalSetupError) {
        let wait = options.reconnectWait.wholeMilliseconds
        try check(
            "connectTimeout",
            natsOptions_SetTimeout(pointer, options.connectTimeout.wholeMilliseconds)
        )
        try check("reconnectWait", natsOptions_SetReconnectWait(pointer, wait))
        try check("reconnectWait", natsOptions_SetReconnectJitter(pointer, wait / 4 + 1, wait))
        try check("reconnectWait", natsOptions_SetMaxReconnect(pointer, -1))
        // What is published while there is no connection must fail, not be sent later: it was answered as not done.
        try check("reconnectWait", natsOptions_SetReconnectBufSize(pointer, 0))
        try check(
            "pingInterval",
            natsOptions_SetPingInterval(pointer, options.pingInterval.wholeMilliseconds)
        )
        try check("pingInterval", natsOptions_SetMaxPingsOut(pointer, 2))
        try check(
            "answerTimeout",
            natsOptions_SetWriteDeadline(pointer, options.answerTimeout.wholeMilliseconds)
        )
        try check(
            "sendsAsSoonAsPossible",
            natsOptions_SetSendAsap(pointer, options.sendsAsSoonAsPossible)
        )
        try check("name", natsOptions_SetIOBufSize(pointer, 65_536))
    }

    private func setUser(_ options: NATSOptions) throws(JournalSetupError) {
        if let file = options.credentialsFile {
            try requireReadable(file, "credentialsFile")
            try check(
                "credentialsFile",
                natsOptions_SetUserCredentialsFromFiles(pointer, file, nil)
            )
        }
        if let user = options.user {
            try check("user", natsOptions_SetUserInfo(pointer, user.name, user.password))
        }
        if let token = options.token {
            try check("token", natsOptions_SetToken(pointer, token))
        }
    }

    private func setSecurity(_ security: NATSOptions.Security) throws(JournalSetupError) {
        try check("security", natsOptions_SetSecure(pointer, true))
        if let file = security.authorityFile {
            try requireReadable(file, "authorityFile")
            try check("authorityFile", natsOptions_LoadCATrustedCertificates(pointer, file))
        }
        switch (security.certificateFile, security.keyFile) {
        case (let certificate?, let key?):
            try check(
                "certificateFile",
                natsOptions_LoadCertificatesChain(pointer, certificate, key)
            )
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
