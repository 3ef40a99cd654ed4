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
        var refusal: FolderOwnership.Refusal?
        var testDescription: String { "owner \(owner), mode \(String(mode, radix: 8))" }
    }

    @Test(
        "the owner and the mode decide, for user 1000",
        arguments: [
            Row(owner: 1_000, mode: 0o700), Row(owner: 1_000, mode: 0o500), Row(owner: 1_000, mode: 0o755),
            Row(owner: 1_000, mode: 0o2750), Row(owner: 1_000, mode: 0o711),
            Row(owner: 1_000, mode: 0o770, refusal: .othersMayWrite(mode: 0o770)),
            Row(owner: 1_000, mode: 0o702, refusal: .othersMayWrite(mode: 0o702)),
            Row(owner: 1_000, mode: 0o1777, refusal: .othersMayWrite(mode: 0o1777)),
            Row(owner: 0, mode: 0o700, refusal: .anotherUser(0)),
            Row(owner: 1_001, mode: 0o777, refusal: .anotherUser(1_001)),
        ])
    func judged(_ row: Row) {
        #expect(FolderOwnership.refusal(owner: row.owner, mode: row.mode, for: 1_000) == row.refusal)
    }

    @Test("root is another user than the one whose folder it is")
    func root() {
        #expect(FolderOwnership.refusal(owner: 1_000, mode: 0o700, for: 0) == .anotherUser(1_000))
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

    @Test("a folder that others may read is made private", arguments: [0o755, 0o2750, 0o711] as [mode_t])
    func readable(_ mode: mode_t) async throws {
        try await make()
        try #require(chmod(directory.store, mode) == 0 && chmod(directory.store + "/bodies", mode) == 0)
        _ = try open()
        for part in ["", "/bodies"] {
            #expect(SystemCalls.ownership(directory.store + part)?.mode == UInt32(mode & 0o7700))
        }
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
