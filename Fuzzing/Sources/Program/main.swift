import CLibFuzzer
import Foundation

// A variable, not an argument: libFuzzer restarts the program with its own arguments.
guard let target = ChosenTarget.type else {
    for name in FuzzTargets.names { print(name) }
    exit(ChosenTarget.name == nil ? 0 : 2)
}
FileHandle.standardError.write(Data("target \(target.name)\n".utf8))
var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
    LLVMFuzzerRunDriver(&count, &arguments) { data, count in
        ChosenTarget.run(Array(UnsafeBufferPointer(start: data, count: count)))
        return 0
    })
