import Foundation
import GRDB

extension String {
    /// The text as the index holds it. SQLite's texts end at the first NUL, so that two names could be one; a text that
    /// has one is bytes there, which compare to their end and read back as the text.
    var indexed: DatabaseValue { utf8.contains(0) ? Data(utf8).databaseValue : databaseValue }
}
