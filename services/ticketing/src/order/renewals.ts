import { uuidFrom } from '@beltway/event-store';
import { HttpProblem } from '@beltway/kit/problems';
import type { Deps } from '../deps.ts';
import type { OrderRow } from './queries.ts';

/**
 * Links that an order may be given within an hour. A buyer needs one; each is mailed, and ends the one before. The buyer's account has more
 * than whoever has the link: a stranger who got it must not be able to keep the buyer from revoking it.
 */
const BY_LINK = 5;
const BY_BUYER = 10;
const WITHIN_MS = 60 * 60_000;

/** The id of the command that ended the generation before this one: of two at once, one is decided. */
export const linkCommand = (orderId: string, linkGeneration: number) => `link:${orderId}:${linkGeneration}`;

/** Throws 429 when the order was given that many links within the last hour. The log knows when: nothing is counted apart from it. */
export async function assertMayRenew(
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  { orderId, linkGeneration, buyerId }: OrderRow,
  callerId: number | undefined,
): Promise<void> {
  const most = buyerId !== null && buyerId === callerId ? BY_BUYER : BY_LINK;
  const oldest = linkGeneration - most + 1;
  if (oldest < 1) return;
  const { rows } = await pool.query<{ at: Date }>({
    name: 'link-ended-at',
    text: 'select occurred_at as at from events where command_id = $1',
    values: [uuidFrom(linkCommand(orderId, oldest))],
  });
  const leftMs = rows[0] ? rows[0].at.getTime() + WITHIN_MS - clock().getTime() : 0;
  if (leftMs <= 0) return;
  throw new HttpProblem(
    429,
    'too-many-links',
    `This order was given ${most} new links within an hour. Please try again in ${Math.ceil(leftMs / 60_000)} minutes.`,
    { retryAfter: Math.ceil(leftMs / 1_000) },
  );
}
