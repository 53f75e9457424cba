import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { acceptedBy, keyedText, sameText, type Secrets } from '@beltway/kit/secrets';
import { ownCookie } from './own-cookie.ts';

const PURPOSE = 'known device';
/** How long a device stays known after its last sign-in. */
const KNOWN_MS = 180 * 24 * 3_600_000;
/** Maximum accounts that one browser is known to. The newest are kept. */
const MAX_ACCOUNTS = 5;
/** Nonce, time of issue in seconds (base 36), signature. */
const TOKEN = /^([\w-]{16})\.([0-9a-z]{1,9})\.([\w-]{43})$/;

export interface DeviceCookie {
  /** The device's id, if the device has signed in to the account before. */
  read(req: Request, email: string): string | undefined;
  /** Marks the device as known to the account after a sign-in. */
  set(req: Request, res: Response, email: string): void;
}

export interface DeviceCookieOptions {
  /** Signs with the first secret; accepts signatures made with any of the secrets. */
  secret: Secrets;
  publicUrl: string;
  clock: () => Date;
}

/**
 * Recognizes browsers that have signed in to an account before (OWASP: "device cookies"). The cookie never replaces a
 * password. It only gives access to the queue's lane for known devices, and wrong passwords are counted per device
 * instead of per account. A stolen cookie permits about four guesses an hour. Each token is signed for one account, but
 * does not contain the account's name.
 */
export function deviceCookie({ secret, publicUrl, clock }: DeviceCookieOptions): DeviceCookie {
  const own = ownCookie(publicUrl, 'beltway_device');

  const signature = (by: Secrets, email: string, nonce: string, issued: string) =>
    keyedText(by, PURPOSE, `${email}\0${nonce}\0${issued}`);

  const tokensOf = (req: Request): string[] => {
    return (own.read(req) ?? '')
      .split('~')
      .filter((token) => TOKEN.test(token))
      .slice(0, MAX_ACCOUNTS);
  };

  const isFor = (email: string) => (token: string) => {
    const [, nonce = '', issued = '', signed = ''] = TOKEN.exec(token) ?? [];
    return acceptedBy(secret, (one) => sameText(signature(one, email, nonce, issued), signed));
  };

  return {
    read: (req, email) => {
      const token = tokensOf(req).find(isFor(email));
      if (token === undefined) return undefined;
      const [, nonce, issued = ''] = TOKEN.exec(token)!;
      const age = clock().getTime() - parseInt(issued, 36) * 1_000;
      return age < KNOWN_MS ? nonce : undefined;
    },
    set: (req, res, email) => {
      const isOwn = isFor(email);
      const others = tokensOf(req).filter((token) => !isOwn(token));
      const nonce = randomBytes(12).toString('base64url');
      const issued = Math.floor(clock().getTime() / 1_000).toString(36);
      const signed = `${nonce}.${issued}.${signature(secret, email, nonce, issued)}`;
      const value = [signed, ...others].slice(0, MAX_ACCOUNTS).join('~');
      res.cookie(own.name, value, { ...own.options, maxAge: KNOWN_MS });
    },
  };
}
