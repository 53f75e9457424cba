import { createECDH } from 'node:crypto';
import { lookup as lookUp, type LookupAddress } from 'node:dns';
import { request } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { PushMessage, PushSubscriptionBody } from '@beltway/contracts/realtime/notifications';

/** Timeout of a whole exchange with a push service, in milliseconds. */
const EXCHANGE_MS = 10_000;
/** How long a push service keeps a push for an offline browser, in seconds. */
const KEPT_SECONDS = 86_400;
/** The longest pause that a push service may request, in seconds. */
const MAX_PAUSE_SECONDS = 3_600;

/**
 * The outcome of a push. `gone`: the browser unsubscribed; `refused`: this push will never be accepted; `later`: the
 * push may be retried.
 */
export type PushOutcome = { is: 'sent' | 'gone' | 'refused' } | { is: 'later'; why: string; pauseSeconds?: number };

/** How push services are reached. Tests run a local push service. */
export interface PushNetwork {
  lookup(hostname: string): Promise<LookupAddress[]>;
  isAllowed(address: string): Promise<boolean>;
  port: number;
  /** The CA certificate (PEM); by default Node's own. */
  ca?: string;
}

export const publicNetwork: PushNetwork = {
  lookup: (hostname) =>
    new Promise((resolve, reject) =>
      lookUp(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
    ),
  isAllowed: isPublicAddress,
  port: 443,
};

/** False for private, loopback, link-local, multicast and other special-purpose IP addresses (IANA's registries). */
export async function isPublicAddress(address: string): Promise<boolean> {
  const { default: ipaddr } = await import('ipaddr.js');
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

class NotPublic extends Error {}

export interface PushSender {
  /** Our public key, which a browser needs to subscribe; base64url. */
  publicKey: string;
  /**
   * Never rejects, because a failure may be retried. `topic`: a new push replaces a pending push with the same topic.
   */
  send(to: PushSubscriptionBody, message: PushMessage, topic: string): Promise<PushOutcome>;
}

/** The key pair of a private key, 32 bytes in hex or base64url. Throws for an invalid key. */
function vapidKeys(text: string): { publicKey: string; privateKey: string } {
  const bytes = Buffer.from(text, text.length === 64 ? 'hex' : 'base64url');
  if (bytes.length !== 32) throw new Error('a private key has 32 bytes');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(bytes);
  return { publicKey: pair.getPublicKey('base64url'), privateKey: bytes.toString('base64url') };
}

/** Whether the value of an environment variable is a valid private key. */
export function isVapidKey(text: string): boolean {
  try {
    vapidKeys(text);
    return /^([\da-f]{64}|[\w-]{43})$/i.test(text);
  } catch {
    return false;
  }
}

/**
 * Our contact for push services (RFC 8292, section 2.1): the support email address if there is one. Else our site's URL
 * if it uses https, else an email address at the site's host.
 */
const subjectOf = (publicUrl: string, support: string | undefined): string =>
  support !== undefined
    ? `mailto:${support}`
    : publicUrl.startsWith('https:')
      ? publicUrl
      : `mailto:support@${new URL(publicUrl).hostname}`;

/**
 * Sends by web push (RFC 8030), encrypted for the browser (RFC 8291) and signed by our key (RFC 8292). URLs of push
 * services come from browsers and are untrusted. We therefore connect only to public IP addresses, checked after name
 * resolution, and do not follow redirects (SSRF).
 */
export function openPushSender(
  { privateKey, publicUrl, support }: { privateKey: string; publicUrl: string; support?: string | undefined },
  network: PushNetwork = publicNetwork,
): PushSender {
  const keys = vapidKeys(privateKey);
  const subject = subjectOf(publicUrl, support);

  const lookup: LookupFunction = (hostname, options, done) => {
    const find = async () => {
      const addresses = await network.lookup(hostname);
      for (const { address } of addresses)
        if (!(await network.isAllowed(address))) throw new NotPublic(`${hostname} is not a public address`);
      return addresses;
    };
    find().then(
      (addresses) => (options.all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family)),
      (error: Error) => done(error, ''),
    );
  };

  async function exchange(to: PushSubscriptionBody, message: PushMessage, topic: string): Promise<PushOutcome> {
    const { default: webPush } = await import('web-push');
    const { endpoint, headers, body } = webPush.generateRequestDetails(to, JSON.stringify(shortened(message)), {
      vapidDetails: { subject, ...keys },
      TTL: KEPT_SECONDS,
      topic,
    });
    const url = new URL(endpoint);
    return new Promise((resolve, reject) => {
      const call = request({
        method: 'POST',
        host: url.hostname,
        port: network.port,
        path: url.pathname + url.search,
        headers: headers as Record<string, string>,
        agent: false,
        lookup,
        signal: AbortSignal.timeout(EXCHANGE_MS),
        ...(network.ca !== undefined && { ca: network.ca }),
      });
      call.on('error', reject);
      call.on('response', (answer) => {
        resolve(outcomeOf(answer.statusCode ?? 0, answer.headers['retry-after']));
        // The body is not needed, and may be endless.
        answer.destroy();
      });
      call.end(body);
    });
  }

  return {
    publicKey: keys.publicKey,
    send: async (to, message, topic) => {
      try {
        return await exchange(to, message, topic);
      } catch (error) {
        if (error instanceof NotPublic) return { is: 'gone' };
        return { is: 'later', why: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

function outcomeOf(status: number, retryAfter: string | undefined): PushOutcome {
  if (status >= 200 && status < 300) return { is: 'sent' };
  if (status === 404 || status === 410) return { is: 'gone' };
  if (status === 429 || status >= 500) {
    const seconds = Number(retryAfter);
    return {
      is: 'later',
      why: `answered ${status}`,
      ...(seconds > 0 && { pauseSeconds: Math.min(seconds, MAX_PAUSE_SECONDS) }),
    };
  }
  // Redirects are also refused, because they could lead to internal addresses.
  return { is: 'refused' };
}

/** A push has at most 4,096 bytes (RFC 8030, section 7.2). A lock screen shows fewer characters than these limits. */
const MAX_TITLE = 120;
const MAX_BODY = 200;

/** Cuts a text to `max` whole characters, with an ellipsis. */
function cut(text: string, max: number): string {
  const characters = Array.from(text);
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

/** Shortens a message to the size limit of a push. */
const shortened = ({ title, body, path, tag }: PushMessage): PushMessage => ({
  title: cut(title, MAX_TITLE),
  body: cut(body, MAX_BODY),
  path,
  tag,
});
