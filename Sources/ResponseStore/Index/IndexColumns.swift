import Foundation
import GRDB

/// Columns of an untrusted row: SQLite can have a text in an integer column, and a damaged page may contain anything.
extension Row {
    /// 0 where there is no number.
    func number(_ index: Int) -> Int64 { Int64.fromDatabaseValue(self[index] as DatabaseValue) ?? 0 }

    /// A count, clamped to 31 bits, so that sums of many counts do not overflow.
    func tally(_ index: Int) -> Int { Int(Swift.min(Swift.max(0, number(index)), Int64(Int32.max))) }

    /// 0 where there is no number.
    func real(_ index: Int) -> Double { Double.fromDatabaseValue(self[index] as DatabaseValue) ?? 0 }

    /// Empty if there are no bytes.
    func data(_ index: Int) -> Data { Data.fromDatabaseValue(self[index] as DatabaseValue) ?? Data() }
}

extension String {
    /// The text as stored in the index. SQLite's texts end at the first NUL, so two names could compare equal; a text
    /// with a NUL is stored as bytes, which compare completely and read back as the text.
    var indexed: DatabaseValue { utf8.contains(0) ? Data(utf8).databaseValue : databaseValue }
}
