// Content that native code can't read is handed over beside its request: in pieces, each in a request of its own with a
// buffer, which is answered when the origin has taken it. So a page that uploads a large file keeps two pieces in memory.

const headersGet = method(Headers.prototype, 'get');
const headersSet = method(Headers.prototype, 'set');
const headersOf = getter(Request.prototype, 'headers');
const statusOf = getter(Response.prototype, 'status');
const fetchNatively = self.fetch;
const signalOfStop = getter(AbortController.prototype, 'signal');
const abort = method(AbortController.prototype, 'abort');

/// In bytes.
const pieceSize = 1_048_576;
const isTaken = 200, hasFailed = 0;

/// What sends parts of an upload to `url`: a function of what is said and of the bytes, which promises how it was answered.
/// It never rejects: no one may hear of it.
const makePost = (url, signal) => async (said, body) => {
  try {
    const request = construct(Request, [url, {
      __proto__: null, method: 'POST', body, mode: 'cors', credentials: 'omit', cache: 'no-store', redirect: 'error',
      referrerPolicy: 'no-referrer', signal,
    }]);
    headersSet(headersOf(request), 'accept', `${mark};${said}`);
    return statusOf(await apply(fetchNatively, undefined, [request]));
  } catch {
    return hasFailed;
  }
};

/// Counts a fault of ours, and tells native code of it.
const noteFault = concern => {
  faults[concern] = (faults[concern] ?? 0) + 1;
  const url = handledURL(baseURI(document));
  if (url) makePost(url)(`fault=${concern}`, undefined);
};

/// Begins to follow how the content of a request to `url` is taken; `told.ended` is told how it ended.
///
/// Returns what gives it up.
const follow = (url, told, name) => {
  const stop = new AbortController(), begun = makePost(url, signalOfStop(stop))(`begin=${name};whole=1`, undefined);
  (async () => told.ended(await begun))();
  return {__proto__: null, stop: () => abort(stop)};
};

/// Uploads whose pieces are on their way; others wait for their turn, in order, as they would for a connection.
const greatestTogether = 16;
const turns = [];
let together = 0, nextTurn = 0;
const waitForTurn = () => {
  if (together < greatestTogether) {
    together += 1;
    return undefined;
  }
  return new Promise(resolve => { append(turns, resolve); });
};
const endTurn = () => {
  const next = nextTurn < turns.length ? turns[nextTurn] : undefined;
  if (!next) {
    together -= 1;
    return;
  }
  turns[nextTurn] = undefined;
  nextTurn += 1;
  next();
};

/// Hands over the content of a request to `url`.
///
/// - told.sent: Is told how many bytes have been read and are being sent.
/// - told.taken: Is told how many bytes have been taken.
/// - told.ended: Is told how it ended.
/// - given: What sends its parts, if that is not to be given up with it.
///
/// Returns its name, and what gives it up.
const handOver = (blob, url, told, name = makeName(), form = '', given = undefined) => {
  const stop = new AbortController(), size = blobSize(blob), post = given ?? makePost(url, signalOfStop(stop));
  let isOver = false;
  const begun = post(`begin=${name};length=${size}${form}`, undefined);
  (async () => {
    const status = await begun;
    isOver = true;
    told.ended(status);
  })();
  (async () => {
    const turn = waitForTurn();
    if (turn) await turn;
    try {
      let before;
      for (let start = 0, number = 0; start < size && !isOver; start += pieceSize, number += 1) {
        const end = start + pieceSize < size ? start + pieceSize : size;
        const bytes = new Uint8Array(await blobBytes(blobSlice(blob, start, end)));
        if (before && await before !== isTaken) return;
        if (isOver) return;
        told.sent(end);
        before = (async () => {
          const status = await post(`piece=${number};upload=${name}`, bytes);
          if (status === isTaken) told.taken(end);
          return status;
        })();
      }
      await before;
    } catch {
      // The file has changed, or can't be read any more.
      post(`failed=${name}`, undefined);
    } finally {
      endTurn();
    }
  })();
  return {__proto__: null, name, stop: () => abort(stop)};
};

const tellNobody = {__proto__: null, sent: () => {}, taken: () => {}, ended: () => {}};
