import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** The `accept-encoding` header that browsers send. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** A response of our gateway, which a peer sends in its place. */
export interface Sample {
  path: string;
  /** For `writeHead`, without the headers that Node adds. */
  headers: string[];
  etag: string;
  /** The body as sent, in base64. `json` is its JSON text. */
  body: string;
  json: string;
}

const UNPACK: Record<string, (body: Buffer) => Buffer> = {
  identity: (body) => body,
  gzip: (body) => gunzipSync(body),
  br: (body) => brotliDecompressSync(body),
};

/** Headers that Node's server adds to every answer. */
const NODES_OWN = /^(date|connection|keep-alive)$/i;

/** Requests a path like a browser. */
export function sampleOf(port: number, path: string): Promise<Sample> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': ACCEPT_ENCODING };
    request({ port, host: '127.0.0.1', path, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const body = Buffer.concat(chunks);
        const unpack = UNPACK[answer.headers['content-encoding'] ?? 'identity'];
        if (answer.statusCode !== 200) return reject(new Error(`${path} is answered ${answer.statusCode}`));
        const pairs = Array.from({ length: answer.rawHeaders.length / 2 }, (_, n) =>
          answer.rawHeaders.slice(2 * n, 2 * n + 2),
        );
        resolve({
          path,
          headers: pairs.filter(([name]) => !NODES_OWN.test(name!)).flat(),
          etag: answer.headers.etag ?? '',
          body: body.toString('base64'),
          json: String(unpack!(body)),
        });
      });
    })
      .on('error', reject)
      .end();
  });
}
