import JournalCampaign

CampaignCommand.run(Array(CommandLine.arguments.dropFirst()))
