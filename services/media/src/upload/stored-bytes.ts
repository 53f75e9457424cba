import type { PlainText } from '@beltway/contracts/problems/texts';
import { DAY_S, ofAccount, ofNetworks, tooMuch, type Allowance, type Allowances } from '@beltway/kit/allowances';
import type { Caller } from '@beltway/kit/auth';

const MB = 1_000_000;
const perDay = (name: string, megabytes: number): Allowance => ({ name, max: megabytes * MB, perSeconds: DAY_S });

interface Limits {
  account: Allowance;
  /** For accounts without a verified email address, because such accounts are free to create. */
  unverified: Allowance;
  /** For all clients with the same IP address, with or without an account. */
  network: Allowance;
  code: PlainText;
}

/** Bytes that may be stored. A picture takes up to 1.6 MB in all its sizes, and a processed video up to 50 MB. */
const STORED = {
  pictures: {
    account: perDay('pictures-account', 400),
    unverified: perDay('pictures-unverified', 100),
    network: perDay('pictures-network', 2_000),
    code: 'too-many-pictures',
  },
  videos: {
    account: perDay('videos-account', 2_000),
    unverified: perDay('videos-unverified', 400),
    network: perDay('videos-network', 8_000),
    code: 'too-many-videos',
  },
} satisfies Record<string, Limits>;

/** The sender of a stored file. */
export interface Uploader {
  account?: Pick<Caller, 'id' | 'isVerified'> | undefined;
  address?: string | undefined;
}

/** Called before the first byte is stored. Throws 429 when the sender has used up the allowance. */
export type Charge = (bytes: number) => Promise<void>;

/** How much an account and a network may store. Files that are already in storage cost nothing. */
export interface StoredBytes {
  charge(of: keyof typeof STORED, uploader: Uploader): Charge;
}

export const storedBytes = (allowances: Allowances): StoredBytes => ({
  charge(of, { account, address }) {
    const limits = STORED[of];
    return async (bytes) => {
      const shares = [
        ...(account ? [ofAccount(account.isVerified ? limits.account : limits.unverified, account.id, bytes)] : []),
        ...(address === undefined ? [] : ofNetworks(limits.network, address, bytes)),
      ];
      const wait = shares.length > 0 ? await allowances.take(shares) : 0;
      if (wait > 0) throw tooMuch(limits.code, wait);
    };
  },
});
