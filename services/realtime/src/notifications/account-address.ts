import { AccountAddress } from '@beltway/contracts/realtime/notifications';
import type { InternalClient } from '@beltway/kit/internal';
import { HttpProblem } from '@beltway/kit/problems';

/** The email address and language of an account; null if the account no longer exists. */
export async function addressOf(identity: Pick<InternalClient, 'get'>, userId: number): Promise<AccountAddress | null> {
  try {
    return AccountAddress.parse(await identity.get(`/internal/people/${userId}/address`));
  } catch (error) {
    if (error instanceof HttpProblem && error.status === 404) return null;
    throw error;
  }
}
