// What LarderKit sees of Foundation on Apple's platforms, with the stand-ins.
@_exported import AppleFoundation
