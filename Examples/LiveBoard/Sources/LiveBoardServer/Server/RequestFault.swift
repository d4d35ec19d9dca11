/// Why a request is not answered as it was meant: a status, a name that programs can rely on, and a sentence.
struct RequestFault: Error, Equatable, Sendable {
    let status: Int
    let code: String
    let message: String
    /// What to allow, for a method that is not.
    var allowed: String?

    static func notFound(_ what: String) -> RequestFault {
        RequestFault(status: 404, code: "notFound", message: "there is no such \(what)")
    }

    static func badValue(_ name: String, _ expected: String) -> RequestFault {
        RequestFault(status: 400, code: "badValue", message: "\(name) must be \(expected)")
    }

    static func unreadable(_ message: String) -> RequestFault {
        RequestFault(status: 400, code: "unreadable", message: message)
    }

    static func methodNotAllowed(_ allowed: String) -> RequestFault {
        RequestFault(
            status: 405,
            code: "methodNotAllowed",
            message: "this address takes \(allowed)",
            allowed: allowed
        )
    }

    static func conflict(_ fault: BoardFault) -> RequestFault {
        RequestFault(status: 409, code: fault.code, message: fault.message)
    }

    static let tooLarge = RequestFault(
        status: 413,
        code: "tooLarge",
        message: "a body must have at most \(Requests.longestBody) bytes"
    )
    static let notJSON = RequestFault(
        status: 415,
        code: "notJSON",
        message: "a body must be of the type application/json"
    )
    static let crossSite = RequestFault(
        status: 403,
        code: "crossSite",
        message: "pages of other sites may not do this"
    )
    static let otherHost = RequestFault(
        status: 421,
        code: "otherHost",
        message: "this server does not answer for that host"
    )
    static let notWindowed = RequestFault(
        status: 409,
        code: "notWindowed",
        message: "that connection follows the whole list"
    )
    static let shuttingDown = RequestFault(
        status: 503,
        code: "shuttingDown",
        message: "the server is shutting down"
    )
    static let noLeader = RequestFault(
        status: 503,
        code: "noLeader",
        message: "no server leads this list now: try again"
    )
    static let unconfirmed = RequestFault(
        status: 504,
        code: "unconfirmed",
        message: "it is not known whether this was done"
    )
    static let wrongProtocol = RequestFault(
        status: 505,
        code: "wrongProtocol",
        message: "a stream needs HTTP/1.1"
    )

    static func tooManySearches(_ limit: Int) -> RequestFault {
        RequestFault(
            status: 503,
            code: "tooManySearches",
            message: "there are \(limit) searches already: try again later"
        )
    }

    /// The answer's body; what came from outside is in it only as JSON's text.
    var json: String {
        "{\"error\":{\"code\":\"\(code)\",\"message\":\(JSONText.quoted(message))}}"
    }
}

/// Text as JSON.
enum JSONText {
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\u{0}"..<" ":
                let digits = String(character.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(character)
            }
        }
        return quoted + "\""
    }
}
