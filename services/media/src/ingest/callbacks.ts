import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '@beltway/kit/logger';
import { readBody } from '@beltway/kit/read-body';

/** A connection as nginx reports it. */
export interface Call {
  call: string;
  app: string;
  name: string;
  clientId: string;
}

/** `true` accepts the connection. A URL accepts the connection and forwards it to that URL. */
export type Verdict = boolean | string;

const MAX_BYTES = 16 * 1024;

export interface Callbacks {
  /** The URL that nginx posts to. The path of the URL is secret. */
  url: string;
  close(): void;
}

/** Serves nginx's callbacks on this machine. A connection whose check fails is refused. */
export async function listenToCallbacks(log: Logger, answer: (call: Call) => Promise<Verdict>): Promise<Callbacks> {
  const path = `/${randomBytes(24).toString('base64url')}`;
  const server = createServer((req, res) => {
    const end = (status: number, location?: string) => {
      res.writeHead(status, location === undefined ? {} : { location });
      res.end();
    };
    if (req.method !== 'POST' || req.url !== path) {
      req.resume();
      return end(404);
    }
    void (async () => {
      const form = new URLSearchParams((await readBody(req, MAX_BYTES)).toString());
      const field = (name: string) => form.get(name) ?? '';
      const call = { call: field('call'), app: field('app'), name: field('name'), clientId: field('clientid') };
      const verdict = await answer(call);
      if (typeof verdict === 'string') end(302, verdict);
      else end(verdict ? 200 : 403);
    })().catch((error: unknown) => {
      log.warn({ err: error }, 'a signal could not be checked and was refused');
      if (!res.headersSent) end(503);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
