#include "CBodyStream.h"

#include <string.h>

typedef struct {
    GInputStream parent;
    GByteArray *bytes;
    gsize position;
    GTask *waiting;
    void *buffer;
    gsize room;
    gulong cancellation;
    gboolean has_ended;
    char *failure;
    LarderBodyDemand demand;
    void *owner;
} LarderBodyStream;

typedef struct {
    GInputStreamClass parent;
} LarderBodyStreamClass;

G_DEFINE_TYPE(LarderBodyStream, larder_body_stream, G_TYPE_INPUT_STREAM)

static gsize left(LarderBodyStream *self) { return self->bytes->len - self->position; }

static gsize take(LarderBodyStream *self, void *buffer, gsize room) {
    gsize count = MIN(left(self), room);
    memcpy(buffer, self->bytes->data + self->position, count);
    self->position += count;
    if (left(self) == 0) {
        g_byte_array_set_size(self->bytes, 0);
        self->position = 0;
    }
    return count;
}

static GTask *take_waiting(LarderBodyStream *self) {
    GTask *task = self->waiting;
    self->waiting = NULL;
    if (task && self->cancellation) {
        g_signal_handler_disconnect(g_task_get_cancellable(task), self->cancellation);
        self->cancellation = 0;
    }
    return task;
}

/* Answers a read if there is something to answer it with. The reader's callback may read again before this returns. */
static gboolean answer(LarderBodyStream *self, GTask *task, void *buffer, gsize room) {
    if (left(self) > 0) {
        g_task_return_int(task, (gssize)take(self, buffer, room));
    } else if (self->failure) {
        g_task_return_new_error(task, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED, "%s", self->failure);
    } else if (self->has_ended) {
        g_task_return_int(task, 0);
    } else {
        return FALSE;
    }
    g_object_unref(task);
    return TRUE;
}

static void answer_waiting(LarderBodyStream *self) {
    if (!self->waiting || (left(self) == 0 && !self->failure && !self->has_ended)) return;
    void *buffer = self->buffer;
    gsize room = self->room;
    answer(self, take_waiting(self), buffer, room);
}

static void cancelled(GCancellable *cancellable, gpointer data) {
    LarderBodyStream *self = data;
    (void)cancellable;
    /* Inside its own emission a handler must not be disconnected by waiting for it to end. */
    GTask *task = self->waiting;
    self->waiting = NULL;
    if (!task) return;
    g_signal_handler_disconnect(g_task_get_cancellable(task), self->cancellation);
    self->cancellation = 0;
    g_task_return_error_if_cancelled(task);
    g_object_unref(task);
}

static void read_async(GInputStream *stream, void *buffer, gsize count, int priority, GCancellable *cancellable,
                       GAsyncReadyCallback callback, gpointer data) {
    LarderBodyStream *self = (LarderBodyStream *)stream;
    GTask *task = g_task_new(stream, cancellable, callback, data);
    g_task_set_priority(task, priority);
    if (g_task_return_error_if_cancelled(task)) {
        g_object_unref(task);
        return;
    }
    if (answer(self, task, buffer, count)) return;
    self->waiting = task;
    self->buffer = buffer;
    self->room = count;
    if (cancellable) self->cancellation = g_signal_connect(cancellable, "cancelled", G_CALLBACK(cancelled), self);
    if (self->demand) self->demand(self->owner);
}

static gssize read_finish(GInputStream *stream, GAsyncResult *result, GError **error) {
    (void)stream;
    return g_task_propagate_int(G_TASK(result), error);
}

static gssize read_now(GInputStream *stream, void *buffer, gsize count, GCancellable *cancellable, GError **error) {
    LarderBodyStream *self = (LarderBodyStream *)stream;
    (void)cancellable;
    if (left(self) > 0) return (gssize)take(self, buffer, count);
    if (self->has_ended) return 0;
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK, "This stream can only be read asynchronously.");
    return -1;
}

static void close_async(GInputStream *stream, int priority, GCancellable *cancellable, GAsyncReadyCallback callback,
                        gpointer data) {
    /* The default would close on another thread. */
    GTask *task = g_task_new(stream, cancellable, callback, data);
    g_task_set_priority(task, priority);
    g_task_return_boolean(task, TRUE);
    g_object_unref(task);
}

static gboolean close_finish(GInputStream *stream, GAsyncResult *result, GError **error) {
    (void)stream;
    return g_task_propagate_boolean(G_TASK(result), error);
}

static void finalize(GObject *object) {
    LarderBodyStream *self = (LarderBodyStream *)object;
    g_byte_array_unref(self->bytes);
    g_free(self->failure);
    G_OBJECT_CLASS(larder_body_stream_parent_class)->finalize(object);
}

static void larder_body_stream_class_init(LarderBodyStreamClass *class) {
    GInputStreamClass *stream = G_INPUT_STREAM_CLASS(class);
    stream->read_fn = read_now;
    stream->read_async = read_async;
    stream->read_finish = read_finish;
    stream->close_async = close_async;
    stream->close_finish = close_finish;
    G_OBJECT_CLASS(class)->finalize = finalize;
}

static void larder_body_stream_init(LarderBodyStream *self) { self->bytes = g_byte_array_new(); }

GInputStream *larder_body_stream_new(LarderBodyDemand demand, void *owner) {
    LarderBodyStream *self = g_object_new(larder_body_stream_get_type(), NULL);
    self->demand = demand;
    self->owner = owner;
    return G_INPUT_STREAM(self);
}

gboolean larder_body_stream_give(GInputStream *stream, const void *bytes, gsize count) {
    LarderBodyStream *self = (LarderBodyStream *)stream;
    gboolean is_empty;
    g_object_ref(self);
    g_byte_array_append(self->bytes, bytes, (guint)count);
    answer_waiting(self);
    is_empty = left(self) == 0;
    g_object_unref(self);
    return is_empty;
}

void larder_body_stream_end(GInputStream *stream) {
    LarderBodyStream *self = (LarderBodyStream *)stream;
    self->demand = NULL;
    self->has_ended = TRUE;
    g_object_ref(self);
    answer_waiting(self);
    g_object_unref(self);
}

void larder_body_stream_fail(GInputStream *stream, const char *message) {
    LarderBodyStream *self = (LarderBodyStream *)stream;
    self->demand = NULL;
    if (self->has_ended || self->failure) return;
    self->failure = g_strdup(message);
    g_object_ref(self);
    answer_waiting(self);
    g_object_unref(self);
}
