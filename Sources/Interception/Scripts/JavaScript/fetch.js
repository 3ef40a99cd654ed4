// `fetch`: the content of an upload is made readable, and options that no field shows are said.

const headersGet = method(Headers.prototype, 'get');
const headersSet = method(Headers.prototype, 'set');
const headersOf = getter(Request.prototype, 'headers');
const methodOf = getter(Request.prototype, 'method');
const modeOf = getter(Request.prototype, 'mode');
const redirectOf = getter(Request.prototype, 'redirect');
const credentialsOf = getter(Request.prototype, 'credentials');
const referrerOf = getter(Request.prototype, 'referrer');
const policyOf = getter(Request.prototype, 'referrerPolicy');
const signalOf = getter(Request.prototype, 'signal');
const isAborted = getter(AbortSignal.prototype, 'aborted');
const requestBytes = method(Request.prototype, 'arrayBuffer');
const rejectNatively = Promise.reject;
const rejected = reason => apply(rejectNatively, Promise, [reason]);
const fetchNatively = self.fetch;

/// WebKit makes it of 16 letters and digits behind these.
const formType = 'multipart/form-data; boundary=';

const sayWhatIsSent = request => {
  const headers = headersOf(request), accept = headersGet(headers, 'accept');
  const said = `${mark};credentials=${credentialsOf(request)};redirect=${redirectOf(request)}`;
  // A longer field needs a preflight, or is dropped in mode no-cors (Fetch §2.2.2).
  headersSet(headers, 'accept', accept && accept.length + said.length < 127 ? `${accept}, ${said}` : said);
};

/// A second argument that is not empty would reset the referrer and its policy.
const sendNow = (request, bytes) => apply(fetchNatively, undefined, [request, {
  __proto__: null, body: new Uint8Array(bytes), referrer: referrerOf(request), referrerPolicy: policyOf(request),
}]);
const sendLater = async (request, later) => sendNow(request, (await later).bytes);
const restOfRequest = async request => ({__proto__: null, bytes: await requestBytes(request)});

/// Sends what `new Request(input, init)` takes.
const send = (input, init) => {
  const seen = {__proto__: null, body: undefined};
  let request;
  try {
    request = construct(Request, [input, watched(init, seen)]);
  } catch (error) {
    return rejected(error);
  }
  if (!isHandled(urlOf(request))) return apply(fetchNatively, undefined, [request]);
  const isUsual = modeOf(request) !== 'no-cors' && redirectOf(request) === 'follow'
    && credentialsOf(request) === 'same-origin';
  if (isBodiless(methodOf(request))) {
    if (!isUsual) sayWhatIsSent(request);
    return apply(fetchNatively, undefined, [request]);
  }
  sayWhatIsSent(request);
  const isGiven = (seen.body ?? null) !== null;
  const content = isGiven ? fileContent(seen.body) : keptContent(input);
  // Nothing is read for a request that is given up already.
  if (isAborted(signalOf(request))) return apply(fetchNatively, undefined, [request]);
  if (!content) {
    if (isGiven || !isRequest(input)) return apply(fetchNatively, undefined, [request]);
    return sendLater(request, restOfRequest(request));
  }
  const headers = headersOf(request), type = headersGet(headers, 'content-type');
  // The boundary that the native chose for this request.
  const isNative = type !== null && indexOf(type, formType) === 0;
  const flat = flatten(content, isNative ? slice(type, formType.length) : undefined);
  return flat.text ? sendNow(request, flat.text) : sendLater(request, flat.later);
};

replace(self, 'fetch', (native, receiver, values) => {
  const input = argument(values, 0), init = argument(values, 1);
  // Wrong receivers and missing arguments are the native's to refuse. What has no options has no body, and what goes
  // elsewhere is not ours; a string is converted without being asked.
  if (values.length === 0 || receiver !== undefined && receiver !== null && receiver !== page
    || typeof input === 'string' && ((init ?? null) === null || !isHandled(input))) {
    return apply(native, receiver, values);
  }
  return send(input, init);
});
