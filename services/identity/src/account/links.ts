import { APPEAL_DAYS } from '@beltway/contracts/identity/moderation';
import { acceptedBy, firstSecret, keyedText, sameText, type Secrets } from '@beltway/kit/secrets';

/** What a mailed link may do. */
export type LinkKind = 'verify-email' | 'change-email' | 'reset-password' | 'appeal';

/** How long each is good, in ms from when it was asked for. */
export const GOOD_FOR_MS = {
  'verify-email': 7 * 24 * 3_600_000,
  'change-email': 24 * 3_600_000,
  'reset-password': 30 * 60_000,
  appeal: APPEAL_DAYS * 24 * 3_600_000,
} as const satisfies Record<LinkKind, number>;

/** A letter for each kind, the account in base 36, the end in seconds (base 36), the digest. */
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
  /** In seconds. */
  until: number;
}

/**
 * Tokens of mailed links: a keyed digest of what the account is as the link is made (`bound`), stored nowhere. So a link ends as soon as
 * any of that changes, in particular by its own effect (docs/decisions/0086).
 */
export function accountLinks(secrets: Secrets, clock: () => Date) {
  const digest = (secret: Secrets, { kind, userId, until }: Link, bound: readonly string[]) =>
    keyedText(secret, `link ${kind}`, [userId, until, ...bound].join('\0'));

  return {
    /** The token of a link that was asked for at `from`. */
    tokenOf({ kind, userId, from }: { kind: LinkKind; userId: number; from: Date }, bound: readonly string[]): string {
      const link: Link = { kind, userId, until: Math.floor((from.getTime() + GOOD_FOR_MS[kind]) / 1_000) };
      const parts = [LETTERS[kind], userId.toString(36), link.until.toString(36)];
      return [...parts, digest(firstSecret(secrets), link, bound)].join('.');
    },

    /** What a token says it is; undefined for what is none, or is over. Only `isGood` tells whether it is ours. */
    read(token: string): Link | undefined {
      const [, letter, user = '', end = ''] = TOKEN.exec(token) ?? [];
      const kind = (Object.keys(LETTERS) as LinkKind[]).find((one) => LETTERS[one] === letter);
      const link = kind && { kind, userId: parseInt(user, 36), until: parseInt(end, 36) };
      return link && link.until * 1_000 > clock().getTime() ? link : undefined;
    },

    /** Whether the token was made of this. */
    isGood: (token: string, link: Link, bound: readonly string[]): boolean =>
      acceptedBy(secrets, (secret) => sameText(token.split('.')[3] ?? '', digest(secret, link, bound))),
  };
}

export type AccountLinks = ReturnType<typeof accountLinks>;
