import Foundation

/// Which git to start, and what surrounds it so that no user's settings change what it answers.
struct GitExecutable: Sendable {
    let path: String
    let environment: [String: String]

    /// What stands before every subcommand.
    static let fixedArguments = [
        "--no-pager", "--no-replace-objects", "-c", "core.quotepath=off", "-c",
        "log.showSignature=false",
    ]

    /// Finds git in the directories of `PATH`.
    static func find(
        in environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(GitError) -> GitExecutable {
        let directories = (environment["PATH"] ?? "").split(separator: ":")
        // A relative entry would start whatever the replayed repository has lying about.
        for directory in directories where directory.hasPrefix("/") {
            let path = "\(directory)/git"
            if FileManager.default.isExecutableFile(atPath: path), !isDirectory(path) {
                return GitExecutable(path: path, environment: sanitized(environment))
            }
        }
        throw GitError(.gitNotFound, "git is not installed, or not in PATH")
    }

    private static func isDirectory(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        return isDirectory.boolValue
    }

    /// The environment without what would point git at another repository, have it trace or answer
    /// in another language; where its configuration is may be said.
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
