// `fetch`: the content of an upload is made readable, and options that no field shows are said.

const methodOf = getter(Request.prototype, 'method');
const modeOf = getter(Request.prototype, 'mode');
const redirectOf = getter(Request.prototype, 'redirect');
const credentialsOf = getter(Request.prototype, 'credentials');
const referrerOf = getter(Request.prototype, 'referrer');
const policyOf = getter(Request.prototype, 'referrerPolicy');
const keepaliveOf = getter(Request.prototype, 'keepalive');
const cacheOf = getter(Request.prototype, 'cache');
const signalOf = getter(Request.prototype, 'signal');
const isAborted = getter(AbortSignal.prototype, 'aborted');
const requestBytes = method(Request.prototype, 'arrayBuffer');

/// WebKit makes it of 16 letters and digits behind these.
const formType = 'multipart/form-data; boundary=';
/// Fetch §4.6: what requests that outlive their page may carry, in bytes.
const largestKeptAlive = 65_536;

/// Fetch §4.6, "HTTP-network-or-cache fetch": a request with such a field of the page's own goes past caches.
const conditions = ['if-match', 'if-modified-since', 'if-none-match', 'if-range', 'if-unmodified-since'];
const isConditional = headers => {
  for (let index = 0; index < conditions.length; index += 1) {
    if (headersGet(headers, conditions[index]) !== null) return true;
  }
  return false;
};
/// How caches may be used, where that is not as usual.
const cacheModeOf = request => {
  const mode = cacheOf(request);
  return mode !== 'default' ? mode : isConditional(headersOf(request)) ? 'no-store' : '';
};

/// The options that no field shows, where they are not as usual.
const optionsOf = request => {
  const mode = modeOf(request) === 'same-origin' ? ';mode=same-origin' : '';
  const cache = isBodiless(methodOf(request)) ? cacheModeOf(request) : '', policy = policyOf(request);
  return `${mode}${keepaliveOf(request) ? ';keepalive=1' : ''}${cache && `;cache=${cache}`}${policy && `;policy=${policy}`}`;
};

const sayWhatIsSent = (request, by, upload = '', options = optionsOf(request)) => {
  const headers = headersOf(request), accept = headersGet(headers, 'accept');
  const usual = `${mark};by=${by};credentials=${credentialsOf(request)};redirect=${redirectOf(request)}${upload}`;
  const said = modeOf(request) === 'no-cors' && usual.length + options.length > 128 ? usual : usual + options;
  // In mode no-cors a longer field is dropped (Fetch §2.2.2).
  const fits = modeOf(request) !== 'no-cors' || accept && accept.length + said.length < 127;
  headersSet(headers, 'accept', accept && fits ? `${accept}, ${said}` : said);
};

/// Said of a request where nothing else is to be said: its page can show where redirects led. The field may become longer
/// than one that needs no preflight: the engine asks none of a scheme handler.
const justSeen = `${mark};seen=1`;
const sayItIsSeen = request => {
  const headers = headersOf(request), accept = headersGet(headers, 'accept') ?? '*/*';
  // In mode no-cors nobody sees where they led.
  if (modeOf(request) === 'no-cors') return;
  headersSet(headers, 'accept', `${accept}, ${justSeen}`);
};

/// - from.signal: The page's, which goes along: WebKit 2.50 lets one follow another only while the Request between them
///   is there, which nobody holds. A second argument that is not empty would reset the referrer and its policy.
/// - from.window: The one that asks; `undefined` for this one.
const sendNow = (request, from, bytes) => {
  const init = {__proto__: null, referrer: referrerOf(request), referrerPolicy: policyOf(request)};
  if ((from.signal ?? null) !== null) init.signal = from.signal;
  if (bytes !== undefined) init.body = new Uint8Array(bytes);
  return apply(fetchNatively, from.window, [request, init]);
};
/// Content of a Request that was made elsewhere.
const sendLater = async (request, by, from) => {
  const bytes = await requestBytes(request), long = longContent(bytes);
  if (long) return sendInPieces(request, by, from, long.blob);
  sayWhatIsSent(request, by);
  return sendNow(request, from, bytes);
};
/// Sends a request at once, and its content beside it.
const sendInPieces = async (request, by, from, blob) => {
  const upload = handOver(blob, urlOf(request), tellNobody);
  sayWhatIsSent(request, by, `;upload=${upload.name}`);
  try {
    return await sendNow(request, from, 0);
  } catch (error) {
    upload.stop();
    throw error;
  }
};

/// A request to the page's own origin that says so. Without CORS the web view would drop the field; within an origin the mode
/// makes no difference to the page.
const sayItIsOwn = request => {
  if (!provesOwn(urlOf(request))) return request;
  const own = modeOf(request) !== 'no-cors' ? request : construct(Request, [request, {
    __proto__: null, mode: 'cors', referrer: referrerOf(request), referrerPolicy: policyOf(request),
  }]);
  headersSet(headersOf(own), ownField, '1');
  return own;
};

/// Sends a request to a handled URL. `body` is what it was made with besides `input`.
const sendHandled = (given, by, input, body, from) => {
  const request = sayItIsOwn(given);
  const sendNatively = () => sendNow(request, from);
  const isUsual = modeOf(request) !== 'no-cors' && redirectOf(request) === 'follow'
    && credentialsOf(request) === 'same-origin';
  if (isBodiless(methodOf(request))) {
    const options = optionsOf(request);
    if (!isUsual || options) sayWhatIsSent(request, by, '', options);
    else sayItIsSeen(request);
    return sendNatively();
  }
  const isGiven = (body ?? null) !== null;
  const kept = contentOf(input), content = isGiven ? sentApart(body) : kept === true ? undefined : kept;
  // Nothing is read for a request that is given up already.
  if (isAborted(signalOf(request))) return sendNatively();
  if (!content) {
    // A beacon's content is known, and its page may be gone before it is read.
    if (!isGiven && isRequest(input) && by !== 'beacon' && kept !== true) return sendLater(request, by, from);
    sayWhatIsSent(request, by);
    return sendNatively();
  }
  const type = headersGet(headersOf(request), 'content-type');
  // The boundary that the native chose for this request.
  const isNative = type !== null && indexOf(type, formType) === 0;
  const {blob, bytes} = flatten(content, isNative ? slice(type, formType.length) : undefined);
  // The native refuses it.
  if (keepaliveOf(request) && blobSize(blob) > largestKeptAlive) return sendNatively();
  if (!bytes) return sendInPieces(request, by, from, blob);
  sayWhatIsSent(request, by);
  return sendNow(request, from, bytes);
};

/// Sends what `new Request(input, init)` takes.
const send = (by, input, init, window) => {
  const seen = {__proto__: null, body: undefined, signal: undefined};
  let request;
  try {
    request = construct(Request, [input, watched(init, seen)]);
  } catch (error) {
    return rejected(error);
  }
  const signal = seen.signal === undefined && isRequest(input) ? signalOf(input) : seen.signal;
  const from = {__proto__: null, signal, window};
  if (isHandled(urlOf(request))) {
    try {
      return sendHandled(request, by, input, seen.body, from);
    } catch {
      noteFault(by);
    }
  }
  return sendNow(request, from);
};

const documentOf = optionalGetter(self, 'document');
/// The document for which a receiver's `fetch` asks: a page may bind that of a frame to its own window. Returns
/// `undefined` for what is no window, or another origin's.
const askingDocument = receiver => {
  if ((receiver ?? null) === null || receiver === page) return document;
  try {
    return documentOf(receiver);
  } catch {
    return undefined;
  }
};

replace(self, 'fetch', (native, receiver, values) => {
  const input = argument(values, 0), init = argument(values, 1), asking = askingDocument(receiver);
  const url = asking && typeof input === 'string' ? handledURL(input, asking) : undefined;
  // Wrong receivers and missing arguments are the native's to refuse. What has no options has no body, and what goes
  // elsewhere is not ours; a string is converted without being asked.
  if (!isOn('fetch') || values.length === 0 || !asking || typeof input === 'string' && !url) {
    return apply(native, receiver, values);
  }
  if (typeof input === 'string' && (init ?? null) === null) {
    const headers = {__proto__: null, accept: `*/*, ${justSeen}`};
    if (provesOwn(url)) headers[ownField] = '1';
    return apply(native, receiver, [input, {__proto__: null, headers}]);
  }
  return send('fetch', asking === document ? input : url ?? input, init, receiver);
});
