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
const rejectNatively = Promise.reject;
const rejected = reason => apply(rejectNatively, Promise, [reason]);

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

/// The page's signal goes along: WebKit 2.50 lets one follow another only while the Request between them is there, which nobody
/// holds. A second argument that is not empty would reset the referrer and its policy.
const sendNow = (request, signal, bytes) => {
  const init = {__proto__: null, referrer: referrerOf(request), referrerPolicy: policyOf(request)};
  if ((signal ?? null) !== null) init.signal = signal;
  if (bytes !== undefined) init.body = new Uint8Array(bytes);
  return apply(fetchNatively, undefined, [request, init]);
};
/// Content of a Request that was made elsewhere.
const sendLater = async (request, by, signal) => {
  const bytes = await requestBytes(request), long = longContent(bytes);
  if (long) return sendInPieces(request, by, signal, long.blob);
  sayWhatIsSent(request, by);
  return sendNow(request, signal, bytes);
};
/// Sends a request at once, and its content beside it.
const sendInPieces = async (request, by, signal, blob) => {
  const upload = handOver(blob, urlOf(request), tellNobody);
  sayWhatIsSent(request, by, `;upload=${upload.name}`);
  try {
    return await sendNow(request, signal, 0);
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
const sendHandled = (given, by, input, body, signal) => {
  const request = sayItIsOwn(given);
  const sendNatively = () => sendNow(request, signal);
  const isUsual = modeOf(request) !== 'no-cors' && redirectOf(request) === 'follow'
    && credentialsOf(request) === 'same-origin';
  if (isBodiless(methodOf(request))) {
    const options = optionsOf(request);
    if (!isUsual || options) sayWhatIsSent(request, by, '', options);
    else sayItIsSeen(request);
    return sendNatively();
  }
  const isGiven = (body ?? null) !== null;
  const content = isGiven ? sentApart(body) : keptContent(input);
  // Nothing is read for a request that is given up already.
  if (isAborted(signalOf(request))) return sendNatively();
  if (!content) {
    // A beacon's content is known, and its page may be gone before it is read.
    if (!isGiven && isRequest(input) && by !== 'beacon' && !hasPlainContent(input)) return sendLater(request, by, signal);
    sayWhatIsSent(request, by);
    return sendNatively();
  }
  const type = headersGet(headersOf(request), 'content-type');
  // The boundary that the native chose for this request.
  const isNative = type !== null && indexOf(type, formType) === 0;
  const {blob, bytes} = flatten(content, isNative ? slice(type, formType.length) : undefined);
  // The native refuses it.
  if (keepaliveOf(request) && blobSize(blob) > largestKeptAlive) return sendNatively();
  if (!bytes) return sendInPieces(request, by, signal, blob);
  sayWhatIsSent(request, by);
  return sendNow(request, signal, bytes);
};

/// Sends what `new Request(input, init)` takes.
const send = (by, input, init) => {
  const seen = {__proto__: null, body: undefined, signal: undefined};
  let request;
  try {
    request = construct(Request, [input, watched(init, seen)]);
  } catch (error) {
    return rejected(error);
  }
  const signal = seen.signal === undefined && isRequest(input) ? signalOf(input) : seen.signal;
  if (isHandled(urlOf(request))) {
    try {
      return sendHandled(request, by, input, seen.body, signal);
    } catch {
      noteFault(by);
    }
  }
  return sendNow(request, signal);
};

replace(self, 'fetch', (native, receiver, values) => {
  const input = argument(values, 0), init = argument(values, 1), url = typeof input === 'string' ? handledURL(input) : undefined;
  // Wrong receivers and missing arguments are the native's to refuse. What has no options has no body, and what goes
  // elsewhere is not ours; a string is converted without being asked.
  if (!isOn('fetch') || values.length === 0 || receiver !== undefined && receiver !== null && receiver !== page
    || typeof input === 'string' && !url) {
    return apply(native, receiver, values);
  }
  if (typeof input === 'string' && (init ?? null) === null) {
    const headers = {__proto__: null, accept: `*/*, ${justSeen}`};
    if (provesOwn(url)) headers[ownField] = '1';
    return apply(native, receiver, [input, {__proto__: null, headers}]);
  }
  return send('fetch', input, init);
});
