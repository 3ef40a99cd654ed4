import CacheTesting
import Foundation
import Glibc
import Testing

@testable import ResponseStore

@Suite("A store is its user's alone")
struct OwnershipTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    struct Row: Sendable, CustomTestStringConvertible {
        var owner: UInt32
        var mode: UInt32
        var verdict: FolderOwnership.Verdict
        var testDescription: String { "owner \(owner), mode \(String(mode, radix: 8))" }
    }

    @Test(
        "the owner and the mode decide, for user 1000",
        arguments: [
            Row(owner: 1_000, mode: 0o700, verdict: .own), Row(owner: 1_000, mode: 0o500, verdict: .own),
            Row(owner: 1_000, mode: 0o755, verdict: .readable(mode: 0o700)),
            Row(owner: 1_000, mode: 0o2750, verdict: .readable(mode: 0o2700)),
            Row(owner: 1_000, mode: 0o711, verdict: .readable(mode: 0o700)),
            Row(owner: 1_000, mode: 0o770, verdict: .refused(.othersMayWrite(mode: 0o770))),
            Row(owner: 1_000, mode: 0o702, verdict: .refused(.othersMayWrite(mode: 0o702))),
            Row(owner: 1_000, mode: 0o1777, verdict: .refused(.othersMayWrite(mode: 0o1777))),
            Row(owner: 0, mode: 0o700, verdict: .refused(.anotherUser(0))),
            Row(owner: 1_001, mode: 0o777, verdict: .refused(.anotherUser(1_001))),
        ])
    func verdict(_ row: Row) {
        #expect(FolderOwnership(owner: row.owner, mode: row.mode).verdict(for: 1_000) == row.verdict)
    }

    @Test("root is another user than the one whose folder it is")
    func root() {
        #expect(FolderOwnership(owner: 1_000, mode: 0o700).verdict(for: 0) == .refused(.anotherUser(1_000)))
    }

    private func open() throws -> DiskResponseStore {
        try DiskResponseStore(directory: directory.store, durability: .process)
    }

    private func refusal() -> StoreError? {
        #expect(throws: StoreError.self) { try open() }
    }

    private func make() async throws {
        let store = try open()
        try await store.put([1], "a")
        try store.index.close()
    }

    @Test("a folder that others may write in is refused, with what helps", arguments: ["", "/bodies"])
    func writable(_ part: String) async throws {
        try await make()
        try #require(chmod(directory.store + part, 0o770) == 0)
        let error = refusal()
        #expect(error?.code == .directoryUnusable)
        #expect(error?.message.contains("chmod 700") == true)
        try #require(chmod(directory.store + part, 0o700) == 0)
        _ = try open()
    }

    @Test("a folder that others may read is made private")
    func readable() async throws {
        try await make()
        try #require(chmod(directory.store, 0o755) == 0 && chmod(directory.store + "/bodies", 0o755) == 0)
        _ = try open()
        for part in ["store", "store/bodies"] { #expect(try directory.mode(part) == 0o700) }
    }

    @Test(
        "a store of another user is refused, even by root; nothing in it changes", .enabled(if: geteuid() == 0),
        arguments: ["", "/bodies", "/index.sqlite"])
    func foreign(_ part: String) async throws {
        try await make()
        try #require(chown(directory.store + part, 65_534, 65_534) == 0)
        let before = directory.files()
        let error = refusal()
        #expect(error?.code == .directoryUnusable && error?.message.contains("another user (65534)") == true)
        #expect(directory.files() == before)
    }
}
