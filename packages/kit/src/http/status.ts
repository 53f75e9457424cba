import type { RequestHandler } from 'express';
import { followers } from '@beltway/event-store';
import type { InstanceStatus } from '@beltway/contracts/instances';
import { groupLags } from '../bus/consumer-lag.ts';
import { readinessNow, within, type Checks } from './health.ts';

/** Who looks waits no longer for a database or the bus. */
const LAG_MS = 1_500;

interface Build {
  service: string;
  version?: string | undefined;
  commit?: string | undefined;
}

let build: Build = { service: 'unknown' };

/** What this process says of itself from now on. */
export const nameProcess = (named: Build): void => void (build = named);

/** What this instance is, whether it is ready, and how far its followers and groups are behind. */
export async function instanceStatus(checks: Checks): Promise<InstanceStatus> {
  const uptimeSeconds = Math.round(process.uptime());
  const [{ ready, failed }, behind, groups] = await Promise.all([
    readinessNow(checks),
    Promise.all(
      [...followers()].map(async ({ name, lag }) => {
        const unknown = { events: null, seconds: null };
        return { name, ...(await within(LAG_MS, lag()).catch(() => unknown)) };
      }),
    ),
    groupLags(LAG_MS),
  ]);
  return {
    service: build.service,
    version: build.version ?? null,
    commit: build.commit ?? null,
    startedAt: new Date(Date.now() - uptimeSeconds * 1_000).toISOString(),
    uptimeSeconds,
    ready,
    failed,
    followers: behind,
    groups: groups.sort((a, b) => a.group.localeCompare(b.group)),
  };
}

/** `GET /health/status`: InstanceStatus, also of an instance that is not ready. The gateway routes nothing here. */
export const statusRoute =
  (checks: Checks): RequestHandler =>
  async (_req, res) => {
    res.json(await instanceStatus(checks));
  };
