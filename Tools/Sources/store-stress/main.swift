import Foundation
import StoreStress

// A program of the tests; its options stand in StressOptions, its lines in docs/store-faults.md.
guard let options = StressOptions(Array(CommandLine.arguments.dropFirst())) else {
    FileHandle.standardError.write(Data("store-stress: DIRECTORY [--option value]...\n".utf8))
    exit(2)
}
exit(await StressRun(options).run() ? 0 : 1)
