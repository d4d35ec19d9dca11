import CollectionChanges
import Testing

@testable import git_timelapse

/// Replays commits into a model and an obviously correct map at once, and compares after each.
struct ReplayCheck {
    private(set) var model = RepositoryModel()
    private var files: [FileName: RepositoryFile] = [:]

    /// Applies one commit; the change set must be valid, exact, and make the new arrays of the old.
    mutating func apply(_ commit: GitCommit) throws {
        let before = model
        let changes = try model.apply(commit)
        applyToMap(commit)
        #expect(model.sections == sectionsOfMap())
        #expect(model.fileCount == files.count)

        let update = try changes.validated(from: before.shape, to: model.shape)
        var arrays = try update.apply(to: before.sections.map(\.files)) { newPath in
            model.sections[newPath.section].files[newPath.item]
        }
        for reconfiguration in update.reconfigurations {
            let newPath = reconfiguration.newPath
            arrays[newPath.section][newPath.item] =
                model.sections[newPath.section].files[newPath.item]
        }
        #expect(arrays == model.sections.map(\.files))
        checkExactness(commit, update, before)
    }

    /// Every kind of change is told as what it is, however valid another telling would be.
    private func checkExactness(
        _ commit: GitCommit,
        _ update: ValidatedChangeSet,
        _ before: RepositoryModel
    ) {
        var moves: Set<[ItemPath?]> = []
        var reconfigured: Set<ItemPath?> = []
        for change in commit.changes {
            switch change {
            case .rename(let source, let target, _):
                moves.insert([before.itemPath(of: source), model.itemPath(of: target)])
                reconfigured.insert(before.itemPath(of: source))
            case .modify(let path, _):
                reconfigured.insert(before.itemPath(of: path))
            case .add, .delete: break
            }
        }
        let recordedMoves = update.itemRemovals.filter { $0.role == .move }
        #expect(Set(recordedMoves.map { [$0.path, $0.associatedWith] }) == moves)
        #expect(recordedMoves.count == moves.count)
        #expect(Set(update.reconfigurations.map(\.oldPath)) == reconfigured)
        let gone = Set(before.sections.map(\.path)).subtracting(model.sections.map(\.path))
        let come = Set(model.sections.map(\.path)).subtracting(before.sections.map(\.path))
        #expect(
            update.sectionRemovals.map { before.sections[$0.section].path } == gone.sorted(by: >)
        )
        #expect(update.sectionInsertions.map { model.sections[$0.section].path } == come.sorted())
    }

    private mutating func applyToMap(_ commit: GitCommit) {
        for change in commit.changes {
            switch change {
            case .delete(let path), .rename(let path, _, _): files[path] = nil
            case .add, .modify: break
            }
        }
        for change in commit.changes {
            switch change {
            case .add(let path, let content), .modify(let path, let content),
                .rename(_, let path, let content):
                let name = path.splitIntoDirectoryAndName().name
                files[path] = RepositoryFile(name: name, content: content, subject: commit.subject)
            case .delete: break
            }
        }
    }

    private func sectionsOfMap() -> [RepositorySection] {
        Dictionary(grouping: files) { $0.key.splitIntoDirectoryAndName().directory }
            .map { directory, files in
                RepositorySection(
                    path: directory,
                    files: files.map(\.value).sorted { $0.name < $1.name }
                )
            }
            .sorted { $0.path < $1.path }
    }
}
