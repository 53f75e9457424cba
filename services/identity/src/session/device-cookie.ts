import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { acceptedBy, keyedText, sameText, type Secrets } from '@beltway/kit/secrets';
import { ownCookie } from './own-cookie.ts';

const PURPOSE = 'known device';
/** As long as a device is known after its last sign-in. */
const KNOWN_MS = 180 * 24 * 3_600_000;
/** Accounts that one browser is known for, the newest first. */
const MAX_ACCOUNTS = 5;
/** Nonce, time of issue in seconds (base 36), signature. */
const TOKEN = /^([\w-]{16})\.([0-9a-z]{1,9})\.([\w-]{43})$/;

export interface DeviceCookie {
  /** What this device is known as, if it signed in to the account before. */
  read(req: Request, email: string): string | undefined;
  /** After a sign-in: from now on the device is known. */
  set(req: Request, res: Response, email: string): void;
}

export interface DeviceCookieOptions {
  /** The first signs, all are accepted. */
  secret: Secrets;
  publicUrl: string;
  clock: () => Date;
}

/**
 * Tells the browsers that signed in to an account before from all others (OWASP: "device cookies"). It never stands for a password:
 * all it gives is a lane of its own in the queue, and wrong passwords that are counted by device and not by account. A stolen one
 * is worth some four guesses an hour. Each is signed for one account, without naming it.
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
