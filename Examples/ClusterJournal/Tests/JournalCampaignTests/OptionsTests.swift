import BrokerProcesses
import JournalCampaign
import Testing

struct OptionsTests {
    @Test func wordsAreTaken() throws {
        let words = ["--broker", "redis", "--seconds", "7", "--seed", "9", "--members", "3"]
        let options = try CampaignOptions(words)
        #expect(options.kind == .redis)
        #expect(options.seconds == 7)
        #expect(options.seed == 9)
        #expect(options.members == 3)
    }

    @Test(arguments: [
        ["--broker", "kafka"], ["--seconds", "0"], ["--seconds"], ["--members", "1"],
        ["--seed", "-1"], ["--sed", "1"], ["--edit-pause", "x"],
    ])
    func whatIsWrongIsSaid(_ words: [String]) {
        #expect(throws: CampaignFailure.self) { try CampaignOptions(words) }
    }
}
