/// `apibase`, and nothing else: the demo.
struct DemoJob: Job {
    func run(_ context: Context) async throws -> Int32 {
        let isGood = try await Demo(output: context.output, recording: context.recording).run()
        return isGood ? ExitCode.success : ExitCode.failed
    }
}

extension Command {
    static let demo = Command(
        name: "demo",
        summary: "start a demo server, call four APIs on it, and report; what is done without a command",
        options: [.record, .replay]
    ) { _ throws(UsageError) in DemoJob() }
}
