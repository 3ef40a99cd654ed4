/* An input stream that its producer fills piece by piece, on the thread of the main loop.

   WebKit reads the content of a scheme request from an input stream. A pipe would cost two descriptors for each request
   and cannot say that content broke off; this stream costs none, and can. */
#pragma once

#include <gio/gio.h>

/* Called when everything that was given has been read, and more is wanted. */
typedef void (*LarderBodyDemand)(void *owner);

GInputStream *larder_body_stream_new(LarderBodyDemand demand, void *owner);

/* Adds bytes, which are copied. Returns whether all of them were read at once, so that more can be given now. */
gboolean larder_body_stream_give(GInputStream *stream, const void *bytes, gsize count);

/* No more bytes follow. The owner is not called any more. */
void larder_body_stream_end(GInputStream *stream);

/* The content breaks off: reading fails after what was given. Does nothing after the end. The owner is not called any
   more. */
void larder_body_stream_fail(GInputStream *stream, const char *message);
