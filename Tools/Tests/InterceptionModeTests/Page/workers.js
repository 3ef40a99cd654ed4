// Workers, and what they load themselves.
section = 'Workers';
const answered = (worker, question) => new Promise((resolve, reject) => {
  const port = worker.port ?? worker;
  port.onmessage = ({data}) => resolve(data);
  worker.onerror = () => reject(new DOMException('', 'error'));
  port.postMessage(question);
});
kind('worker', 'some text', () => answered(new Worker('/worker.js'), {url: `${site}/text?worker`}));
kind('worker, other origin', 'SecurityError', () => answered(new Worker(`${cdn}/worker.js`), {url: '/text'}));
kind('worker, redirected', 'some text', () => answered(new Worker('/redirect?to=/worker.js'), {url: `${site}/text?worker`}));
kind('worker, fetch of another origin refused', 'TypeError', () => answered(new Worker('/worker.js'), {url: `${cdn}/text?refused`}));
kind('worker, fetch that refuses redirects', 'TypeError',
  () => answered(new Worker('/worker.js'), {url: `${site}/redirect?to=/text`, options: {redirect: 'error'}}));
kind('worker, fetch that follows no redirect', '',
  () => answered(new Worker('/worker.js'), {url: `${site}/redirect?to=/text`, options: {redirect: 'manual'}}));
kind('worker, XHR', 'some text', () => answered(new Worker('/worker.js'), {xhr: `${site}/text?workerxhr`}));
const postFromWorker = async body => {
  const answer = await answered(new Worker('/worker.js'), {url: `${site}/echo`, options: {method: 'POST', body}});
  return answer.startsWith('{') ? upload(JSON.parse(answer)) : answer;
};
kind('worker, POST without a body', 'POST - ', () => postFromWorker());
kind('worker, POST string', 'POST text/plain;charset=UTF-8 hello', () => postFromWorker('hello'));
kind('worker, POST ArrayBuffer', 'POST - 3 octets', () => postFromWorker(new Uint8Array([0, 200, 3])));
kind('worker, POST Blob', 'POST text/x in a blob', () => postFromWorker(new Blob(['in a blob'], {type: 'text/x'})));
kind('worker, POST Blob without a type', 'POST - in a blob', () => postFromWorker(new Blob(['in a blob'])));
kind('worker, importScripts', 'imported', () => answered(new Worker('/worker.js'), {script: `${site}/imported.js`}));
kind('worker, importScripts of another origin', 'imported', () => answered(new Worker('/worker.js'), {script: `${cdn}/imported.js`}));
kind('module worker', 'a module', () => answered(new Worker('/module-worker.js', {type: 'module'}), {}));
kind('shared worker', 'some text', () => typeof SharedWorker === 'undefined' ? 'not supported'
  : answered(new SharedWorker('/shared-worker.js'), {url: `${site}/text?shared`}));
kind('blob worker, importScripts', 'imported', () => {
  const source = `onmessage = () => { importScripts('${site}/imported.js'); postMessage(self.imported); }`;
  return answered(new Worker(URL.createObjectURL(new Blob([source]))), {});
});

const serviceWorker = async () => {
  const registration = await navigator.serviceWorker.register('/controlled/service.js?cache=no-store');
  const worker = registration.installing ?? registration.waiting ?? registration.active;
  while (worker.state !== 'activated') await event(worker, 'statechange');
  return worker;
};
kind('service worker', 'activated', async () => (await serviceWorker()).state);
kind('service worker, fetch event', 'from the service worker', async () => {
  await serviceWorker();
  return inFrame('/controlled/page.html');
});
