import { createHash } from 'node:crypto';
import { request as plainRequest, Agent as PlainAgent, type IncomingMessage } from 'node:http';
import { request as tlsRequest, Agent as TlsAgent } from 'node:https';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { Overloaded } from '@beltway/event-store';
import { backoff } from '../backoff.ts';
import { isTransient } from '../postgres/transient.ts';
import { checkedKey, checkedRange, outside, sized, type Objects, type SizedStream } from './objects.ts';

export interface S3Options {
  /** The server's URL, `https://s3.us-east-1.amazonaws.com`. Buckets are addressed by path. */
  url: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
  /** The server's certificate authorities (PEM), if Node does not include them. */
  ca?: string | undefined;
  /** Time limit for a response, in ms. Default 10 s. */
  answerMs?: number;
}

export interface S3Objects extends Objects {
  /** Resolves when the bucket exists and may be listed. Makes one attempt. */
  check(): Promise<void>;
  close(): void;
}

/** The server rejected the request or, if `transient`, cannot respond now. */
export class S3Error extends Error {
  override name = 'S3Error';
  readonly code: string;
  readonly status: number;
  readonly transient: boolean;
  constructor(status: number, code: string, message: string) {
    super(`S3 answers ${status} ${code}: ${message}`);
    this.code = code;
    this.status = status;
    this.transient = status >= 500 || status === 429;
  }
}

/** Time limits in ms: until the headers of a response, and for a response or stream without progress. */
const ANSWER_MS = 10_000;
const STANDSTILL_MS = 30_000;
const MAX_SOCKETS = 32;
/**
 * Maximum number of requests that wait for response headers, most of them for a connection. A further request throws
 * `Overloaded`.
 */
const MAX_PENDING = 500;
const ATTEMPTS = 3;
const pauseAfter = backoff(100, 1_000);
const MAX_ERROR_BYTES = 16_384;

const isStream = (body: Uint8Array | SizedStream | undefined): body is SizedStream =>
  body !== undefined && 'stream' in body;

interface Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** The key within the bucket; empty for the bucket itself. */
  key: string;
  query?: string;
  range?: string;
  body?: Uint8Array | SizedStream;
}

/**
 * Objects in an S3 bucket. After network errors and temporary server errors, a request is repeated, up to three
 * attempts within `answerMs`. A streamed body is not repeated, because it is already partly consumed. A remaining error
 * is transient (`isTransient`). Throws `Overloaded` if too many requests wait.
 */
export function s3Objects(given: S3Options): S3Objects {
  const { url, bucket, region, accessKey, secretKey, ca, answerMs = ANSWER_MS } = given;
  const base = `${url.replace(/\/+$/, '')}/${bucket}`;
  const isTls = base.startsWith('https:');
  const agentOptions = { keepAlive: true, maxSockets: MAX_SOCKETS };
  const agent = isTls ? new TlsAgent({ ...agentOptions, ...(ca && { ca }) }) : new PlainAgent(agentOptions);
  // A cache of the day's signing key.
  const signingKeys = new Map<string, ArrayBuffer>();

  async function signed({ method, key, query = '', body }: Call): Promise<{ target: URL; headers: Headers }> {
    const hash = isStream(body)
      ? 'UNSIGNED-PAYLOAD'
      : createHash('sha256')
          .update(body ?? '')
          .digest('hex');
    if (signingKeys.size > 2) signingKeys.clear();
    const signer = new AwsV4Signer({
      method,
      url: `${base}${key ? `/${key}` : ''}${query && `?${query}`}`,
      headers: { 'x-amz-content-sha256': hash },
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      service: 's3',
      region,
      cache: signingKeys,
    });
    const { url: target, headers } = await signer.sign();
    return { target, headers };
  }

  /** Number of requests that still wait for response headers. */
  let pending = 0;

  /** Sends a call and resolves with the response's headers, whatever its status. */
  async function send(call: Call): Promise<IncomingMessage> {
    if (pending >= MAX_PENDING) throw new Overloaded();
    pending++;
    try {
      return await exchange(call);
    } finally {
      pending--;
    }
  }

  async function exchange(call: Call): Promise<IncomingMessage> {
    const { method, body, range } = call;
    const { target, headers } = await signed(call);
    if (range) headers.set('range', range);
    if (body) headers.set('content-length', String(isStream(body) ? body.size : body.length));
    const options = { method, headers: Object.fromEntries(headers), timeout: STANDSTILL_MS, ...(ca && { ca }) };
    // A stream cannot be sent again, so it does not use a kept-alive connection that the server may be closing.
    const outgoing = (isTls ? tlsRequest : plainRequest)(target, { ...options, agent: isStream(body) ? false : agent });
    const giveUp = () => outgoing.destroy(new TimedOut());
    outgoing.once('timeout', giveUp);
    // The limit includes the wait for a connection. A stream has no total limit as long as it makes progress.
    const timer = isStream(body) ? undefined : setTimeout(giveUp, answerMs);
    return new Promise<IncomingMessage>((resolve, reject) => {
      outgoing
        .once('response', resolve)
        .on('error', reject)
        .once('close', () => clearTimeout(timer));
      outgoing.once('response', () => clearTimeout(timer));
      if (isStream(body)) pipeline(sized(body), outgoing).catch(reject);
      else outgoing.end(body);
    });
  }

  /** Resolves with the headers of a success, or of a 404 for a missing object. */
  async function attempt(call: Call): Promise<IncomingMessage> {
    const answer = await send(call);
    const status = answer.statusCode ?? 0;
    if (status >= 200 && status < 300) return answer;
    const text = (await buffer(limited(answer))).toString();
    const [, code = call.method === 'HEAD' && status === 404 ? 'NoSuchKey' : 'no code'] =
      /<Code>([^<]{1,100})/.exec(text) ?? [];
    const [, message = 'no message'] = /<Message>([^<]{1,300})/.exec(text) ?? [];
    if (status === 416) throw outside();
    throw new S3Error(status, code, message);
  }

  const ask = (call: Call): Promise<IncomingMessage> =>
    isStream(call.body) ? attempt(call) : again(() => attempt(call), answerMs);

  async function unlessMissing<T, Missing>(work: Promise<T>, missing: Missing): Promise<T | Missing> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof S3Error && error.code === 'NoSuchKey') return missing;
      throw error;
    }
  }

  /** Reads the rest of a response, so that the connection can be reused. */
  const drained = async (answer: IncomingMessage): Promise<void> => void (await buffer(limited(answer)));

  const readOnce: Objects['read'] = async (key, range) => {
    const name = checkedKey(key);
    const { start, end = '' } = checkedRange(range) ?? {};
    const asked = start === undefined ? {} : { range: `bytes=${start}-${end}` };
    const answer = await unlessMissing(attempt({ method: 'GET', key: name, ...asked }), null);
    if (!answer) return null;
    const [, whole] = /^bytes \d+-\d+\/(\d+)$/.exec(answer.headers['content-range'] ?? '') ?? [];
    const size = Number(range ? whole : answer.headers['content-length']);
    if (Number.isSafeInteger(size)) return { stream: answer, size };
    answer.destroy();
    throw new S3Error(answer.statusCode ?? 0, 'no size', `an answer to GET${range ? ' with a range' : ''} without one`);
  };

  return {
    put: async (key, body) => drained(await ask({ method: 'PUT', key: checkedKey(key), body })),
    read: (key, range) => again(() => readOnce(key, range), answerMs),
    get: (key) =>
      again(async () => {
        const found = await readOnce(key);
        return found && buffer(found.stream);
      }, answerMs),
    async exists(key) {
      const answer = await unlessMissing(ask({ method: 'HEAD', key: checkedKey(key) }), null);
      if (answer) await drained(answer);
      return answer !== null;
    },
    async delete(key) {
      const answer = await unlessMissing(ask({ method: 'DELETE', key: checkedKey(key) }), null);
      if (answer) await drained(answer);
    },
    async check() {
      const answer = await attempt({ method: 'GET', key: '', query: 'list-type=2&max-keys=1' });
      const text = (await buffer(limited(answer))).toString();
      if (!text.includes('<ListBucketResult'))
        throw new S3Error(answer.statusCode ?? 0, 'no list', 'there is no S3 server');
    },
    close: () => agent.destroy(),
  };
}

async function again<T>(work: () => Promise<T>, enoughMs: number): Promise<T> {
  const since = performance.now();
  for (let failures = 1; ; failures++) {
    try {
      return await work();
    } catch (error) {
      const isLast = failures === ATTEMPTS || performance.now() - since >= enoughMs;
      if (isLast || error instanceof Overloaded || !isTransient(error)) throw error;
      await pause(pauseAfter(failures));
    }
  }
}

class TimedOut extends Error {
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('S3 did not answer in time');
  }
}

/** Reads only the beginning of a response, because its content is not needed. */
function limited(answer: IncomingMessage): Readable {
  let left = MAX_ERROR_BYTES;
  return Readable.from(
    (async function* () {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        left -= chunk.length;
        if (left < 0) return;
        yield chunk;
      }
    })(),
  );
}
