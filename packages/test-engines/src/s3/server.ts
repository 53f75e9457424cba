import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * A server with one bucket in memory. It requires signatures as S3 does (AWS Signature Version 4) and rejects invalid
 * signatures.
 */
export interface TestS3 {
  url: string;
  bucket: string;
  accessKey: string;
  secretKey: string;
  region: string;
  objects: Map<string, Buffer>;
  /**
   * Faults of the next requests, one per request: a 503 response, a connection cut before or during the response, or no
   * response at all.
   */
  faults: Array<'unavailable' | 'cut' | 'cut-body' | 'silent'>;
  /** Methods of all requests, including rejected ones. */
  asked: string[];
  stop(): Promise<void>;
}

const KEYS = { accessKey: 'test-key', secretKey: 'test-secret-of-32-characters-00000', region: 'us-east-1' };
const BUCKET = 'pictures';

/** Starts the server. `tls`: serves https with this key and certificate (PEM). */
export async function startS3(tls?: { key: string; cert: string }): Promise<TestS3> {
  const objects = new Map<string, Buffer>();
  const faults: TestS3['faults'] = [];
  const asked: string[] = [];

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    asked.push(req.method!);
    const body = await buffer(req);
    const fault = faults.shift();
    if (fault === 'cut') return void req.socket.destroy();
    if (fault === 'silent') return;
    if (fault === 'unavailable') throw new Refusal(503, 'SlowDown');
    checkSignature(req, body);

    const { pathname, searchParams } = new URL(req.url!, 'http://s3');
    const [, bucket = '', ...rest] = pathname.split('/');
    const key = rest.join('/');
    if (bucket !== BUCKET) throw new Refusal(404, 'NoSuchBucket');
    if (key === '' && searchParams.get('list-type') === '2') return void res.end('<ListBucketResult/>');
    const found = objects.get(key);

    if (req.method === 'PUT') {
      objects.set(key, body);
      return void res.end();
    }
    if (req.method === 'DELETE') {
      objects.delete(key);
      return void res.writeHead(204).end();
    }
    if (!found) throw new Refusal(404, 'NoSuchKey');
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(req.headers.range ?? '') ?? [];
    const start = Number(from ?? 0);
    if (from !== undefined && start >= found.length) throw new Refusal(416, 'InvalidRange');
    const part = found.subarray(start, to ? Number(to) + 1 : undefined);
    if (from !== undefined) res.setHeader('content-range', `bytes ${start}-${start + part.length - 1}/${found.length}`);
    res.writeHead(from === undefined ? 200 : 206, { 'content-length': part.length });
    if (req.method === 'HEAD') return void res.end();
    if (fault !== 'cut-body') return void res.end(part);
    res.write(part.subarray(0, part.length / 2), () => req.socket.destroy());
  }

  const handle = (req: IncomingMessage, res: ServerResponse) => {
    answer(req, res).catch((error: unknown) => {
      const { status, code } = error instanceof Refusal ? error : new Refusal(400, String(error));
      res.writeHead(status, { 'content-type': 'application/xml' });
      res.end(
        req.method === 'HEAD' ? undefined : `<Error><Code>${code}</Code><Message>said by the test</Message></Error>`,
      );
    });
  };
  const server = tls ? createTlsServer(tls, handle) : createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: BUCKET,
    ...KEYS,
    objects,
    faults,
    asked,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
const LATE_MS = 15 * 60_000;

/**
 * Verifies a request's signature (Amazon S3 API reference, ‘Authenticating requests: using the Authorization header’).
 */
function checkSignature(req: IncomingMessage, body: Buffer): void {
  const [, accessKey, day, region, names, signature] = AUTHORIZATION.exec(req.headers.authorization ?? '') ?? [];
  if (!signature) throw new Refusal(403, 'AccessDenied');
  if (accessKey !== KEYS.accessKey) throw new Refusal(403, 'InvalidAccessKeyId');
  if (region !== KEYS.region) throw new Refusal(400, 'AuthorizationHeaderMalformed');
  const date = String(req.headers['x-amz-date']);
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(Date.now() - at) < LATE_MS) || !date.startsWith(day!)) throw new Refusal(403, 'RequestTimeTooSkewed');
  const signed = names!.split(';');
  const hash = String(req.headers['x-amz-content-sha256']);
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => signed.includes(name)))
    throw new Refusal(403, 'AccessDenied');
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) throw new Refusal(400, 'XAmzContentSHA256Mismatch');

  const { pathname, searchParams } = new URL(req.url!, 'http://s3');
  const query = [...searchParams]
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .sort()
    .join('&');
  const headers = signed.map((name) => `${name}:${String(req.headers[name]).trim()}\n`).join('');
  const canonical = [req.method, pathname, query, headers, names, hash].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [day!, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${KEYS.secretKey}`);
  const right = hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n'));
  if (!timingSafeEqual(right, Buffer.from(signature, 'hex'))) throw new Refusal(403, 'SignatureDoesNotMatch');
}
