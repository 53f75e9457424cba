import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { Agent, request } from 'node:http';

const TIMEOUT_MS = 10_000;

/** The signature header `t=…,v1=…` over `t.body` (docs.stripe.com/webhooks#verify-manually). `at` in seconds. */
export function signature(body: string, secret: string | KeyObject, at: number): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
}

/** The result of one delivery attempt. `status` is null if there was no response. */
export interface Outcome {
  status: number | null;
  error: string | null;
}

/** Posts signed events to the webhook endpoint over keep-alive connections. */
export function sender(url: string, secret: string, parallel: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: parallel, maxFreeSockets: parallel });
  const target = new URL(url);
  // Created once: creating the key costs more than signing.
  const key = createSecretKey(secret, 'utf8');

  const post = (body: string): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      const req = request(
        target,
        {
          method: 'POST',
          agent,
          timeout: TIMEOUT_MS,
          headers: {
            'content-type': 'application/json; charset=utf-8',
            'content-length': Buffer.byteLength(body),
            'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
            'stripe-signature': signature(body, key, Math.floor(Date.now() / 1000)),
          },
        },
        (res) => {
          res.resume();
          res.on('end', () => resolve({ status: res.statusCode ?? null, error: null }));
          res.on('error', reject);
        },
      );
      req.on('timeout', () => req.destroy(new Error(`no answer in ${TIMEOUT_MS / 1000} s`)));
      req.on('error', reject);
      req.end(body);
    });

  return {
    /** Never rejects. */
    send: (body: string): Promise<Outcome> =>
      post(body).catch((error: Error) => ({ status: null, error: error.message })),
    close: (): void => agent.destroy(),
  };
}
