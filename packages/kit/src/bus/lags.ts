import { followers } from '@beltway/event-store';
import type { InstanceStatus } from '@beltway/contracts/ops/instances';
import { within } from '../http/health.ts';
import { groupLags } from './consumer-lag.ts';

/** Who looks waits no longer for a database or the bus. */
const LAG_MS = 1_500;

/** How far the followers and the groups of this process are behind. */
export async function lagsNow(): Promise<Pick<InstanceStatus, 'followers' | 'groups'>> {
  const [behind, groups] = await Promise.all([
    Promise.all(
      [...followers()].map(async ({ name, lag }) => {
        const unknown = { events: null, seconds: null };
        return { name, ...(await within(LAG_MS, lag()).catch(() => unknown)) };
      }),
    ),
    groupLags(LAG_MS),
  ]);
  return { followers: behind, groups: groups.sort((a, b) => a.group.localeCompare(b.group)) };
}
