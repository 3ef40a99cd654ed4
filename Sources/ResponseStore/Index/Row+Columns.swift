import Foundation
import GRDB

/// Columns of a row of which nothing is to be trusted: SQLite keeps a text in an integer column when it is told to, and
/// a damaged page may hold anything.
extension Row {
    /// 0 where there is no number.
    func number(_ index: Int) -> Int64 { Int64.fromDatabaseValue(self[index] as DatabaseValue) ?? 0 }

    /// How often something was; sums of many of them are numbers still.
    func tally(_ index: Int) -> Int { Int(Swift.min(Swift.max(0, number(index)), Int64(Int32.max))) }

    /// 0 where there is no number.
    func real(_ index: Int) -> Double { Double.fromDatabaseValue(self[index] as DatabaseValue) ?? 0 }

    /// Empty where there are no bytes.
    func data(_ index: Int) -> Data { Data.fromDatabaseValue(self[index] as DatabaseValue) ?? Data() }
}
