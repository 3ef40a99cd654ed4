// What LarderKit sees of the system and of its own modules on Apple's platforms, with the stand-ins.
@_exported import AppleFoundation
@_exported import URLSessionOnApple
