import Testing

@Suite("What larder writes")
struct StandardStreamTests {
    @Test(
        "a reader that has left, or a full disk, ends the tool with a status of its own and never a crash",
        arguments: [
            ("exec 3> >(:); wait $!; \"$0\" rules print >&3", 141, ""),
            ("\"$0\" rules print > /dev/full", 74, "No space left on device"),
            ("exec 3> >(:); wait $!; \"$0\" rules check /nowhere 2>&3", 2, ""),
        ] as [(String, Int32, String)])
    func unread(_ command: String, _ status: Int32, _ said: String) async throws {
        let run = try await ToolProcess.run("/bin/bash", ["-c", command, ToolProcess.larder])
        #expect(run.status == status && (said.isEmpty || run.err.contains(said)), "\(run)")
    }
}
