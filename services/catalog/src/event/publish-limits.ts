import { DAY_S, ofAccount, ofNetworks, tooMuch, type Allowance, type Allowances } from '@beltway/kit/allowances';
import type { Caller } from '@beltway/kit/auth';

/** Events that an account may publish per day. Each date of a series counts as one event. */
const ACCOUNT: Allowance = { name: 'published', max: 500, perSeconds: DAY_S };
/** For an account without a verified email address: enough for a weekly series of one year and a few more events. */
const UNVERIFIED: Allowance = { name: 'published-unverified', max: 60, perSeconds: DAY_S };
/** For all unverified accounts of one network together, because anyone can create accounts for free. */
const NETWORK: Allowance = { name: 'published-network', max: 300, perSeconds: DAY_S };

/** Throws 429 if the account, or all unverified accounts of its network together, have reached their limit. */
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
