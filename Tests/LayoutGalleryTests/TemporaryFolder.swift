import Foundation

/// How many descriptors of this process are of a file with a name that nothing else has.
func openFiles(named name: String) -> Int {
    let folder = "/proc/self/fd"
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return descriptors.filter { descriptor in
        let path = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "\(folder)/\(descriptor)"
        )
        return path?.hasSuffix("/\(name)") == true
    }.count
}

/// Does something in a folder that is gone afterwards.
func inTemporaryFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

func inTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

private func makeTemporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "gallery-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
}
