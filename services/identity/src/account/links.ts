import { APPEAL_DAYS } from '@beltway/contracts/identity/moderation';
import { acceptedBy, firstSecret, keyedText, sameText, type Secrets } from '@beltway/kit/secrets';

/** The action that a mailed link permits. */
export type LinkKind = 'verify-email' | 'change-email' | 'reset-password' | 'appeal';

/** Lifetime of each kind of link in ms, counted from the request. */
export const GOOD_FOR_MS = {
  'verify-email': 7 * 24 * 3_600_000,
  'change-email': 24 * 3_600_000,
  'reset-password': 30 * 60_000,
  appeal: APPEAL_DAYS * 24 * 3_600_000,
} as const satisfies Record<LinkKind, number>;

/**
 * The first character of a token, which names the kind of link. After it come the account and the expiry in seconds
 * (both in base 36), and the digest.
 */
const LETTERS: Record<LinkKind, string> = {
  'verify-email': 'v',
  'change-email': 'c',
  'reset-password': 'r',
  appeal: 'a',
};
const TOKEN = /^([vcra])\.([0-9a-z]{1,6})\.([0-9a-z]{1,9})\.([\w-]{43})$/;

export interface Link {
  kind: LinkKind;
  userId: number;
  /** When the link expires, in Unix seconds. */
  until: number;
}

/**
 * Tokens of mailed links: a keyed digest of the account's facts when the link is made (`bound`). Nothing is stored. A
 * link becomes invalid when one of these facts changes, for example through use of the link itself
 * (docs/decisions/0086).
 */
export function accountLinks(secrets: Secrets, clock: () => Date) {
  const digest = (secret: Secrets, { kind, userId, until }: Link, bound: readonly string[]) =>
    keyedText(secret, `link ${kind}`, [userId, until, ...bound].join('\0'));

  return {
    /** Returns the token of a link that was requested at `from`. */
    tokenOf({ kind, userId, from }: { kind: LinkKind; userId: number; from: Date }, bound: readonly string[]): string {
      const link: Link = { kind, userId, until: Math.floor((from.getTime() + GOOD_FOR_MS[kind]) / 1_000) };
      const parts = [LETTERS[kind], userId.toString(36), link.until.toString(36)];
      return [...parts, digest(firstSecret(secrets), link, bound)].join('.');
    },

    /**
     * Returns the claims of a token. Undefined: the token is malformed or expired. The token may still be forged: only
     * `isGood` checks the digest.
     */
    read(token: string): Link | undefined {
      const [, letter, user = '', end = ''] = TOKEN.exec(token) ?? [];
      const kind = (Object.keys(LETTERS) as LinkKind[]).find((one) => LETTERS[one] === letter);
      const link = kind && { kind, userId: parseInt(user, 36), until: parseInt(end, 36) };
      return link && link.until * 1_000 > clock().getTime() ? link : undefined;
    },

    /** Whether the token's digest was made from these facts. */
    isGood: (token: string, link: Link, bound: readonly string[]): boolean =>
      acceptedBy(secrets, (secret) => sameText(token.split('.')[3] ?? '', digest(secret, link, bound))),
  };
}

export type AccountLinks = ReturnType<typeof accountLinks>;
