// Requests with a body. The origin tells what it got; boundaries of forms become B.
section = 'Uploads';
const got = async (url, options) => upload(await (await fetch(url, options)).json());
const upload = ({method, type, text}) => {
  const boundary = /boundary=(.*)/.exec(type ?? '')?.[1];
  const plain = value => (boundary ? value.replaceAll(boundary, 'B') : value).replaceAll('\r\n', '|');
  return `${method} ${plain(type ?? '-')} ${plain(text)}`;
};
const send = (body, options = {}) => got('/echo', {method: 'POST', body, ...options});
const form = (...entries) => {
  const made = new FormData();
  for (const entry of entries) made.append(...entry);
  return made;
};
const part = (name, value) => `--B|Content-Disposition: form-data; name="${name}"||${value}|`;
const file = new File(['in a file'], 'notes.txt', {type: 'text/plain'});
const filePart = '--B|Content-Disposition: form-data; name="file"; filename="notes.txt"|Content-Type: text/plain||in a file|';

kind('POST without a body', 'POST - ', () => send(undefined));
kind('POST string', 'POST text/plain;charset=UTF-8 hello', () => send('hello'));
kind('POST JSON', 'POST application/json {"a":1}', () => send('{"a":1}', {headers: {'Content-Type': 'application/json'}}));
kind('POST urlencoded', 'POST application/x-www-form-urlencoded;charset=UTF-8 a=b+c', () => send(new URLSearchParams({a: 'b c'})));
kind('POST ArrayBuffer', 'POST - 70000 octets', () => send(new Uint8Array(70000)));
kind('POST FormData', `POST multipart/form-data; boundary=B ${part('a', 'b')}--B--|`, () => send(form(['a', 'b'])));
kind('POST FormData with a file', `POST multipart/form-data; boundary=B ${part('a', 'b')}${filePart}--B--|`,
  () => send(form(['a', 'b'], ['file', file])));
kind('POST Blob', 'POST text/x in a blob', () => send(new Blob(['in a blob'], {type: 'text/x'})));
kind('POST Blob with line ends of the system', 'POST - a LF b',
  async () => (await send(new Blob(['a\rb'], {endings: 'native'}))).replace('\n', ' LF '));
kind('POST Blob of buffers, views and text', 'POST text/x a blob of parts', () => {
  const bytes = new TextEncoder().encode('a blob of parts');
  return send(new Blob([bytes.slice(0, 2).buffer, 'blob', new DataView(bytes.buffer, 6, 4), bytes.subarray(10)], {type: 'text/x'}));
});
kind('POST File', 'POST text/plain in a file', () => send(file));
kind('POST Request', 'POST text/plain;charset=UTF-8 in a request', () => got(new Request('/echo', {method: 'POST', body: 'in a request'})));
kind('POST Request with a Blob', 'POST text/x in a request',
  () => got(new Request('/echo', {method: 'POST', body: new Blob(['in a request'], {type: 'text/x'})})));
kind('POST stream', 'NotSupportedError', () => send(new ReadableStream({
  start(controller) {
    controller.enqueue(new TextEncoder().encode('in a stream'));
    controller.close();
  },
}), {duplex: 'half'}));
kind('POST, five megabytes', 'POST - 5242880 octets', () => send(new Uint8Array(5242880)));
kind('POST: request', 'accept: */*; origin: https://example.com; content-length: 5', async () => {
  const id = unique();
  await fetch(`/echo?id=${id}`, {method: 'POST', body: 'hello'});
  return fields((await asked(id))[0], 'accept', 'origin', 'content-length');
});
kind('POST to an https URL: request', 'accept: */*; origin: https://example.com', async () => {
  const id = unique();
  await fetch(`https://example.net/echo?allow=any&id=${id}`, {method: 'POST', body: 'hello'});
  return fields((await asked(id))[0], 'accept', 'origin');
});
kind('POST Request to an https URL', 'POST text/plain;charset=UTF-8 in a request',
  () => got(new Request('https://example.net/echo?allow=any', {method: 'POST', body: 'in a request'})));
kind('POST, other origin', 'POST text/plain;charset=UTF-8 hello', () => got(`${cdn}/echo?allow=any`, {method: 'POST', body: 'hello'}));
kind('POST JSON, other origin', 'POST application/json {"a":1}; OPTIONS POST', async () => {
  const id = unique();
  const result = await got(`${cdn}/echo?allow=any&grant&id=${id}`, {method: 'POST', body: '{"a":1}', headers: {'Content-Type': 'application/json'}});
  return `${result}; ${await methods(id)}`;
});
kind('POST JSON, preflight refused', 'TypeError; OPTIONS', async () => {
  const id = unique();
  const result = await got(`${cdn}/echo?allow=any&id=${id}`, {method: 'POST', body: '{"a":1}', headers: {'Content-Type': 'application/json'}})
    .catch(error => error.name);
  return `${result}; ${await methods(id)}`;
});
kind('POST, no-cors', 'opaque; POST', async () => {
  const id = unique();
  const answer = await fetch(`${cdn}/echo?id=${id}`, {method: 'POST', body: 'hello', mode: 'no-cors'});
  return `${answer.type}; ${await methods(id)}`;
});
kind('POST, redirected by 303', 'GET - ', () => got('/redirect?status=303&to=/echo', {method: 'POST', body: 'hello'}));
kind('POST, redirected by 307', 'POST text/plain;charset=UTF-8 hello', () => got('/redirect?status=307&to=/echo', {method: 'POST', body: 'hello'}));
kind('POST Blob, redirected by 307', 'POST text/x in a blob',
  () => got('/redirect?status=307&to=/echo', {method: 'POST', body: new Blob(['in a blob'], {type: 'text/x'})}));
kind('PUT', 'PUT text/plain;charset=UTF-8 hello', () => send('hello', {method: 'PUT'}));
kind('PATCH', 'PATCH text/plain;charset=UTF-8 hello', () => send('hello', {method: 'PATCH'}));
kind('DELETE', 'DELETE - ', () => send(undefined, {method: 'DELETE'}));
kind('PUT, other origin', 'PUT text/plain;charset=UTF-8 hello; OPTIONS PUT', async () => {
  const id = unique();
  return `${await got(`${cdn}/echo?allow=any&grant&id=${id}`, {method: 'PUT', body: 'hello'})}; ${await methods(id)}`;
});
kind('POST by the fetch of a frame, bound to the page', 'POST text/plain;charset=UTF-8 hello', async () => {
  const made = document.createElement('iframe');
  document.body.append(made);
  const bound = made.contentWindow.fetch.bind(window);
  const result = upload(await (await bound('/echo', {method: 'POST', body: 'hello'})).json());
  made.remove();
  return result;
});
kind('POST, keepalive', 'POST text/plain;charset=UTF-8 hello', () => send('hello', {keepalive: true}));
kind('POST, aborted', 'AbortError', async () => {
  const id = unique();
  const controller = new AbortController();
  const answer = fetch(`/held?id=${id}`, {method: 'POST', body: 'hello', signal: controller.signal}).then(head, error => error.name);
  await arrived(id, answer);
  controller.abort();
  const result = await answer;
  await text(`/release?of=${id}`);
  return result;
});

const beacon = async body => {
  const id = unique();
  const isQueued = navigator.sendBeacon(`/beacon?id=${id}`, body);
  return `${isQueued} ${upload(JSON.parse(await text(`/beaconed?of=${id}`)))}`;
};
kind('sendBeacon string', 'true POST text/plain;charset=UTF-8 hello', () => beacon('hello'));
kind('sendBeacon Blob', 'true POST text/x in a blob', () => beacon(new Blob(['in a blob'], {type: 'text/x'})));
kind('sendBeacon FormData with a file', `true POST multipart/form-data; boundary=B ${filePart}--B--|`, () => beacon(form(['file', file])));
kind('sendBeacon without data', 'true POST - ', () => beacon());

// Content that the origin knows by its pattern, so that it can tell whether it arrived as it was.
const large = (size, type = '') => {
  const period = 16777216, bytes = new Uint8Array(Math.min(size, period)), parts = [];
  for (let place = 0; place < bytes.length; place += 1) bytes[place] = place ^ place >> 8 ^ place >> 16;
  const blob = new Blob([bytes]);
  for (let left = size; left > 0; left -= period) parts.push(left < period ? blob.slice(0, left) : blob);
  return new Blob(parts, {type});
};
const megabytes = 3500000;
const largeFile = size => new File([large(size)], 'large.bin', {type: 'application/x-own'});
const largePart = `${part('a', 'b').slice(0, -1)}|--B|Content-Disposition: form-data; name="file"; filename="large.bin"|Content-Type: application/x-own`;
const pattern = (body, options) => got('/pattern', {method: 'POST', body, ...options});
kind('POST Blob, empty', 'POST text/x 0 bytes, as they were', () => pattern(new Blob([], {type: 'text/x'})));
kind('POST Blob of bytes, one byte', 'POST - 1 bytes, as they were', () => pattern(large(1)));
kind('POST Blob, large', 'POST text/x 3500000 bytes, as they were', () => pattern(large(megabytes, 'text/x')));
kind('POST File, large', 'POST application/x-own 3500000 bytes, as they were', () => pattern(largeFile(megabytes)));
kind('POST slice of a Blob', 'POST - 2000000 bytes, as they were', () => pattern(large(megabytes).slice(0, 2000000)));
kind('POST FormData with a large file', `POST multipart/form-data; boundary=B ${largePart} 3500000 bytes, as they were`,
  () => pattern(form(['a', 'b'], ['file', largeFile(megabytes)])));
kind('PUT Request with a large Blob', 'PUT text/x 3500000 bytes, as they were',
  () => got(new Request('/pattern', {method: 'PUT', body: large(megabytes, 'text/x')})));
kind('POST large Blob, other origin', 'POST text/plain 3500000 bytes, as they were',
  () => got(`${cdn}/pattern?allow=any`, {method: 'POST', body: large(megabytes, 'text/plain')}));
kind('POST Blob of bytes, other origin, preflight refused', 'TypeError; OPTIONS', async () => {
  const id = unique();
  const result = await got(`${cdn}/pattern?allow=any&id=${id}`, {method: 'POST', body: large(9, 'text/x')}).catch(error => error.name);
  return `${result}; ${await methods(id)}`;
});
kind('POST large Blob, redirected by 303', 'GET -', () => got('/redirect?status=303&to=/echo', {method: 'POST', body: large(megabytes)}).then(text => text.trim()));
kind('POST large Blob, redirected by 307', 'POST - 3500000 bytes, as they were',
  () => got('/redirect?status=307&to=/pattern', {method: 'POST', body: large(megabytes)}));
kind('POST Blob of bytes, keepalive', 'POST - 900 bytes, as they were', () => pattern(large(900), {keepalive: true}));
kind('POST Blob, keepalive and too large', 'TypeError', () => pattern(large(70000), {keepalive: true}));
kind('POST large Blob, no-cors', 'opaque; POST', async () => {
  const id = unique();
  const answer = await fetch(`${cdn}/pattern?id=${id}`, {method: 'POST', body: large(megabytes), mode: 'no-cors'});
  return `${answer.type}; ${await methods(id)}`;
});
kind('POST large Blob to nobody', 'TypeError', () => got('https://gone.example.com/', {method: 'POST', body: large(megabytes)}));
kind('POST large Blob, aborted', 'AbortError', async () => {
  const id = unique();
  const controller = new AbortController();
  const answer = fetch(`/held?id=${id}`, {method: 'POST', body: large(megabytes), signal: controller.signal}).then(head, error => error.name);
  await arrived(id, answer);
  controller.abort();
  const result = await answer;
  await text(`/release?of=${id}`);
  return result;
});
kind('many uploads at once', '40 as they were', async () => {
  const results = await Promise.all(Array.from({length: 40}, (_, number) => pattern(large(number * 1000 + 1))));
  return `${results.filter((text, number) => text === `POST - ${number * 1000 + 1} bytes, as they were`).length} as they were`;
});
kind('sendBeacon Blob of bytes', 'true POST - 9 octets', () => beacon(large(9)));

// Every kind of body in several lengths, up to `most` bytes: what the origin says of each.
// The same as characters.
const largeText = async size => {
  const bytes = new Uint8Array(await large(size).arrayBuffer());
  for (let place = 0; place < bytes.length; place += 1) bytes[place] &= 127;
  return new TextDecoder().decode(bytes);
};

async function everyBody(most) {
  const results = {};
  let longest = 0, before = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - before);
    before = performance.now();
  }, 10);
  const judge = async (name, type, size, answer) => {
    const told = upload(await answer), wanted = `POST ${type} ${size} bytes, as they were`;
    results[`${name}, ${size}`] = told === wanted ? 'as it was' : told;
  };
  const viaXHR = (body, url = '/pattern') => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.onload = () => resolve(JSON.parse(request.responseText));
    request.onerror = () => reject(new TypeError('XHR'));
    request.send(body);
  });
  const viaFetch = async (body, url = '/pattern') => (await fetch(url, {method: 'POST', body})).json();
  const multi = 'multipart/form-data; boundary=B --B|Content-Disposition: form-data; name="file"; filename="large.bin"|Content-Type: application/x-own';
  for (const size of [0, 1, 1000, most]) {
    before = performance.now();
    const blob = large(size), file = new File([blob], 'large.bin', {type: 'application/x-own'});
    const bytes = new Uint8Array(await blob.arrayBuffer()), characters = await largeText(size);
    for (const [way, send] of [['fetch', viaFetch], ['XHR', viaXHR]]) {
      await judge(`${way} Blob`, '-', size, send(blob));
      await judge(`${way} File`, 'application/x-own', size, send(file));
      await judge(`${way} FormData`, multi, size, send(form(['file', file])));
      await judge(`${way} ArrayBuffer`, '-', size, send(bytes.buffer));
      await judge(`${way} view`, '-', size, send(new DataView(bytes.buffer)));
      await judge(`${way} string`, 'text/plain;charset=UTF-8', size, send(characters, '/pattern?ascii'));
    }
    await judge('Request', 'application/x-own', size, fetch(new Request('/pattern', {method: 'POST', body: file})).then(answer => answer.json()));
    await judge('Request of a buffer', '-', size, fetch(new Request('/pattern', {method: 'POST', body: bytes})).then(answer => answer.json()));
    const id = unique(), answer = frame({name: `form-${id}`}, id), made = document.createElement('form'), transfer = new DataTransfer();
    made.innerHTML = '<input type="file" name="file">';
    transfer.items.add(file);
    made.elements.file.files = transfer.files;
    [made.method, made.enctype, made.action, made.target] = ['post', 'multipart/form-data', `/form-pattern?id=${id}`, `form-${id}`];
    document.body.append(made);
    made.submit();
    await judge('form', multi, size, answer);
    made.remove();
  }
  clearInterval(timer);
  return {results, longest};
}

// One upload, as an app would make it; how late a timer was meanwhile, and how long it took, in milliseconds.
async function oneUpload(size) {
  const blob = large(size), start = performance.now();
  let longest = 0, before = start;
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - before);
    before = performance.now();
  }, 10);
  const result = upload(await (await fetch('/pattern', {method: 'POST', body: blob})).json());
  clearInterval(timer);
  return {results: {result, took: String(Math.round(performance.now() - start))}, longest};
}
