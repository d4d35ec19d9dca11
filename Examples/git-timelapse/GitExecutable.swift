import Foundation

/// The git to run, with an environment in which no user's settings change its output.
struct GitExecutable: Sendable {
    let path: String
    let environment: [String: String]

    /// The arguments before every subcommand.
    static let fixedArguments = [
        "--no-pager", "--no-replace-objects", "-c", "core.quotepath=off", "-c",
        "log.showSignature=false",
    ]

    /// Finds git in the directories of `PATH`.
    static func find(in environment: [String: String]) throws(GitError) -> GitExecutable {
        let directories = (environment["PATH"] ?? "").split(separator: ":")
        // A relative entry could run a program from the repository that is replayed.
        for directory in directories where directory.hasPrefix("/") {
            let path = "\(directory)/git"
            if FileManager.default.isExecutableFile(atPath: path), !isDirectory(path) {
                return GitExecutable(path: path, environment: sanitized(environment))
            }
        }
        throw GitError("git is not installed, or not in PATH")
    }

    private static func isDirectory(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        return isDirectory.boolValue
    }

    /// Returns the environment without variables that select another repository, a trace or another
    /// language. The location of the configuration is kept.
    private static func sanitized(_ environment: [String: String]) -> [String: String] {
        var result = environment.filter { name, _ in
            !name.hasPrefix("GIT_") || name.hasPrefix("GIT_CONFIG")
                || keptVariables.contains(name)
        }
        result["LC_ALL"] = "C"
        result["LANGUAGE"] = nil
        result["GIT_OPTIONAL_LOCKS"] = "0"
        result["GIT_TERMINAL_PROMPT"] = "0"
        return result
    }

    private static let keptVariables: Set = [
        "GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    ]
}

/// The reason why a repository or its history cannot be read.
struct GitError: Error, CustomStringConvertible {
    /// The kinds of errors that a caller distinguishes.
    enum Code: Equatable {
        /// Git failed with a message of its own, which is quoted.
        case gitFailed
        /// A signal ended git that this program did not send, such as that of Ctrl-C.
        case gitInterrupted(signal: Int32)
        case other
    }

    let code: Code
    let description: String

    init(_ description: String, _ code: Code = .other) {
        self.code = code
        self.description = description
    }
}
