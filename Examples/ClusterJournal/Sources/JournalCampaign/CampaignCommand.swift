import BrokerProcesses
import Foundation

/// The program `journal-campaign`: the campaign, and, started by it, each of its members.
package enum CampaignCommand {
    package static func run(_ words: [String]) -> Never {
        if let options = MemberOptions(words) { runMember(options) }
        if words.contains("--help") || words.contains("-h") {
            print(CampaignOptions.help)
            exit(0)
        }
        let options: CampaignOptions
        do {
            options = try CampaignOptions(words)
        } catch {
            fail("\(error)", code: 2)
        }
        guard options.kind.installed != nil else {
            fail("skipped: \(options.kind.program) is not installed", code: 77)
        }
        Interruption.await()
        do {
            let program = try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/exe"
            )
            exit(try Campaign(options, program: program).run() ? 0 : 1)
        } catch {
            fail("\(error)", code: 1)
        }
    }

    private static func runMember(_ options: MemberOptions) -> Never {
        do {
            let member = try MemberProcess(options)
            // Ends also when nobody is there any more who tells it what to do.
            member.obey()
            exit(0)
        } catch {
            fail("a member cannot be: \(error)", code: 1)
        }
    }

    private static func fail(_ text: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data("journal-campaign: \(text)\n".utf8))
        exit(code)
    }
}
