import { DAY_S, ofAccount, ofNetworks, tooMuch, type Allowance, type Allowances } from '@beltway/kit/allowances';
import type { Caller } from '@beltway/kit/auth';

/** Events that an account publishes; each date of a series is one. */
const ACCOUNT: Allowance = { name: 'published', max: 500, perSeconds: DAY_S };
/** Of an account that has not verified its address: a weekly series of a year, and some. */
const UNVERIFIED: Allowance = { name: 'published-unverified', max: 60, perSeconds: DAY_S };
/** Of all such accounts of an address: they cost nothing. */
const NETWORK: Allowance = { name: 'published-network', max: 300, perSeconds: DAY_S };

/** Throws 429 when the account, or all unverified accounts of its network, have published enough for now. */
export async function takePublishing(
  allowances: Allowances,
  { caller, address, events }: { caller: Caller; address: string; events: number },
): Promise<void> {
  const shares = caller.isVerified
    ? [ofAccount(ACCOUNT, caller.id, events)]
    : [ofAccount(UNVERIFIED, caller.id, events), ...ofNetworks(NETWORK, address, events)];
  const wait = await allowances.take(shares);
  if (wait === 0) return;
  throw tooMuch(caller.isVerified ? 'too-many-events' : 'too-many-events.unverified', wait);
}
