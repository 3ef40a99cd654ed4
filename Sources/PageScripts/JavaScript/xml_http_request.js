// `XMLHttpRequest`: the content of an upload is made readable, and `withCredentials` is said.

const states = new WeakMap();
const withCredentials = getter(XMLHttpRequest.prototype, 'withCredentials');
const uploadOf = getter(XMLHttpRequest.prototype, 'upload');
const setField = method(XMLHttpRequest.prototype, 'setRequestHeader');
const statusOfXHR = getter(XMLHttpRequest.prototype, 'status');
const timeoutOf = getter(XMLHttpRequest.prototype, 'timeout');
const stopListening = method(EventTarget.prototype, 'removeEventListener');
const typeOf = getter(Event.prototype, 'type');
const totalOf = getter(ProgressEvent.prototype, 'total');
const stopNow = method(Event.prototype, 'stopImmediatePropagation');
const currentTargetOf = getter(Event.prototype, 'currentTarget');
const now = method(getPrototypeOf(performance), 'now');

/// Of two events that tell of progress, in milliseconds (XMLHttpRequest §4.5.6).
const leastTime = 50;

/// Tells the page how its content is taken: of everything where the native request carries nothing, and `total` is its
/// length; else of what the native does not tell.
const makeTeller = (request, total) => {
  const target = uploadOf(request), start = now(performance), isNative = total === undefined;
  let loaded = 0, sent = 0, told = start;
  const tell = (name, done, all) => dispatch(target, construct(ProgressEvent, [name, {
    __proto__: null, lengthComputable: all > 0, loaded: done, total: all,
  }]));
  const teller = {
    __proto__: null,
    total,
    isOver: false,
    begin: () => {
      if (!isNative) tell('loadstart', 0, total);
    },
    sent: bytes => { sent = bytes; },
    taken: bytes => {
      if (teller.isOver) return;
      loaded = bytes;
      if (bytes === total) return teller.end('load');
      const time = now(performance);
      if (time - told < leastTime) return;
      told = time;
      tell('progress', loaded, total);
    },
    // Where the origin answers without the rest, nothing more is told.
    ended: status => {
      if (status === isTaken && isNative) teller.end('load');
      if (status === hasFailed) teller.end('error');
    },
    end: name => {
      // How its own upload fails, the native tells.
      if (teller.isOver || isNative && name !== 'load') return;
      teller.isOver = true;
      const all = name === 'load' ? teller.total : 0;
      if (all === undefined) return;
      if (name === 'load') tell('progress', all, all);
      tell(name, all, all);
      tell('loadend', all, all);
    },
    /// The request has come further.
    changed: () => {
      const state = readyState(request);
      // The answer may arrive before that to the last piece, and ends the upload as well.
      if (state >= 2 && (isNative || sent === total) && statusOfXHR(request) !== 0) teller.end('load');
      if (state !== 4 || statusOfXHR(request) !== 0) return;
      const limit = timeoutOf(request);
      teller.end(limit > 0 && now(performance) - start >= limit ? 'timeout' : 'error');
    },
  };
  return teller;
};

/// `upload` of the requests whose page has asked for it, and their requests.
const watchedUploads = new WeakMap(), uploading = new WeakMap();

/// Before any listener of the page's: what the native tells of an upload after its end is not heard.
const hearUpload = event => {
  const state = weakGet(states, weakGet(uploading, currentTargetOf(event))), teller = state && state.teller;
  if (!teller || !event.isTrusted) return;
  if (typeOf(event) === 'loadstart') teller.total = totalOf(event);
  else if (teller.isOver) stopNow(event);
};
/// A request to a URL that is not handled needs a preflight where somebody listens to its upload (XMLHttpRequest §3.5.6).
const watchUpload = (request, upload) => {
  const state = weakGet(states, request), change = state && !state.url ? stopListening : listen;
  for (let index = 0, names = ['loadstart', 'abort', 'error', 'timeout', 'loadend']; index < 5; index += 1) {
    change(upload, names[index], hearUpload);
  }
};

replaceAccessor(XMLHttpRequest.prototype, 'upload', (native, receiver, values) => {
  const upload = apply(native, receiver, values);
  weakSet(watchedUploads, receiver, upload);
  weakSet(uploading, upload, receiver);
  watchUpload(receiver, upload);
  return upload;
});

/// The upload that an earlier `send` began is of no use any more.
const giveUp = (request, event) => {
  const state = weakGet(states, request);
  if (!state || !state.upload) return;
  const {upload, teller} = state;
  state.upload = undefined;
  if (event && readyState(request) !== 4) teller.end(event);
  upload.stop();
};

/// A scheme handler's answers know no time-out: native code gives the request up, and the page is told why.
const hearError = event => {
  const request = currentTargetOf(event), state = event.isTrusted && isXHR(request) && weakGet(states, request);
  if (!state || !(state.limit > 0) || now(performance) - state.start < state.limit) return;
  stopNow(event);
  dispatch(request, construct(ProgressEvent, ['timeout', {__proto__: null, loaded: 0, total: 0}]));
};

/// The end of an upload comes before the answer.
const hearState = event => {
  const request = currentTargetOf(event), state = event.isTrusted && isXHR(request) && weakGet(states, request);
  if (state && state.upload) state.teller.changed();
};

// Before any listener of the page's.
replaceConstructor(self, 'XMLHttpRequest', (native, values, target) => {
  const request = construct(native, values, target);
  listen(request, 'error', hearError);
  listen(request, 'readystatechange', hearState);
  return request;
});

replace(XMLHttpRequest.prototype, 'open', (native, receiver, values) => {
  if (!isXHR(receiver) || values.length < 2) return apply(native, receiver, values);
  // Converted once, and in the native's order.
  values[0] = `${values[0]}`;
  values[1] = `${values[1]}`;
  const result = apply(native, receiver, values);
  giveUp(receiver);
  weakSet(states, receiver, {
    __proto__: null, method: values[0], isAsync: values.length < 3 || !!values[2], url: handledURL(values[1]),
    hasAccept: false, hasType: false, hasCondition: false, upload: undefined, teller: undefined, limit: 0, start: 0,
  });
  const upload = weakGet(watchedUploads, receiver);
  if (upload) watchUpload(receiver, upload);
  return result;
});

replace(XMLHttpRequest.prototype, 'setRequestHeader', (native, receiver, values) => {
  const state = isXHR(receiver) && weakGet(states, receiver);
  if (!state || values.length < 2) return apply(native, receiver, values);
  values[0] = `${values[0]}`;
  const result = apply(native, receiver, values);
  const name = lowerCase(values[0]);
  if (name === 'accept') state.hasAccept = true;
  if (name === 'content-type') state.hasType = true;
  for (let index = 0; index < conditions.length; index += 1) if (name === conditions[index]) state.hasCondition = true;
  return result;
});

replace(XMLHttpRequest.prototype, 'abort', (native, receiver, values) => {
  if (isXHR(receiver)) giveUp(receiver, 'abort');
  return apply(native, receiver, values);
});

const isDocument = isOf(getter(Node.prototype, 'nodeType'));
/// Whether the native would convert a body to text, which may run code of the page.
const becomesText = body => (body ?? null) !== null && typeof body !== 'string' && !isView(body) && !isBlob(body)
  && !isForm(body) && !isDocument(body) && !isParameters(body) && !isBuffer(body);

/// How a request with a handled URL is to be sent: what the native is given, and what tells of its content beside it.
const planOf = (request, state, values) => {
  const sendsNothing = isBodiless(state.method);
  state.limit = state.isAsync ? timeoutOf(request) : 0;
  state.start = now(performance);
  const options = `${state.limit > 0 ? `;timeout=${state.limit}` : ''}${state.hasCondition ? ';cache=no-store' : ''}`;
  const body = sendsNothing ? null : argument(values, 0) ?? null;
  const content = sentApart(body, state.isAsync), flat = content && flatten(content);
  const isHandedOver = flat !== undefined && !flat.bytes;
  // What the page listens to, it is told.
  const isFollowed = !isHandedOver && body !== null && state.isAsync && weakGet(watchedUploads, request);
  const name = isHandedOver || isFollowed ? makeName() : undefined;
  const credentials = withCredentials(request) ? 'include' : 'same-origin';
  const said = sendsNothing && !options && credentials === 'same-origin' ? justSeen
    : `${mark};by=xhr;credentials=${credentials}${options}${name ? `;upload=${name}` : ''}`;
  return {
    __proto__: null, name,
    // The content that goes beside it.
    blob: isHandedOver ? flat.blob : undefined,
    type: flat && !state.hasType ? flat.type : null,
    // A second value is appended to the first one.
    accept: state.hasAccept ? said : `*/*, ${said}`,
    sent: isHandedOver ? [] : flat ? [new Uint8Array(flat.bytes)] : values,
  };
};

replace(XMLHttpRequest.prototype, 'send', (native, receiver, values) => {
  let state = isXHR(receiver) && readyState(receiver) === 1 && weakGet(states, receiver);
  if (!isOn('xhr') || !state || !state.url) return apply(native, receiver, values);
  if (values.length > 0 && becomesText(values[0])) {
    values[0] = `${values[0]}`;
    // What ran meanwhile may have sent it, or opened it anew.
    state = readyState(receiver) === 1 && weakGet(states, receiver);
    if (!state || !state.url) return apply(native, receiver, values);
  }
  let plan;
  try {
    if (provesOwn(state.url)) setField(receiver, ownField, '1');
  } catch {
    // Sent already; the native says so.
    return apply(native, receiver, values);
  }
  try {
    plan = planOf(receiver, state, values);
  } catch {
    noteFault('xhr');
  }
  if (!plan) return apply(native, receiver, values);
  if (plan.blob && !state.isAsync) throw new DOMException('A network error occurred.', 'NetworkError');
  try {
    setField(receiver, 'Accept', plan.accept);
    if (plan.type !== null) setField(receiver, 'Content-Type', plan.type);
  } catch {
    // Sent already; the native says so.
    return apply(native, receiver, values);
  }
  if (!plan.name) return apply(native, receiver, plan.sent);
  const teller = makeTeller(receiver, plan.blob ? blobSize(plan.blob) : undefined);
  const upload = plan.blob
    ? handOver(plan.blob, state.url, teller, plan.name) : follow(state.url, teller, plan.name);
  state.upload = upload;
  state.teller = teller;
  apply(native, receiver, plan.sent);
  // A listener may have given it up.
  if (state.upload === upload) teller.begin();
});
