import Glibc
import WebKitGTKAdapter

exit(VisitProcess.run())
