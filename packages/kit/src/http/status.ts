import type { RequestHandler } from 'express';
import type { InstanceStatus } from '@beltway/contracts/ops/instances';
import { readinessNow, type Checks } from './health.ts';

interface Build {
  service: string;
  version?: string | undefined;
  commit?: string | undefined;
}

let build: Build = { service: 'unknown' };

/** Sets the build that this process reports. */
export const nameProcess = (named: Build): void => void (build = named);

/** The name of this process's service. */
export const processName = (): string => build.service;

type Lags = Pick<InstanceStatus, 'followers' | 'groups'>;

/** The build, readiness and lag of this instance. Pass `lags` unless the service has no followers and groups. */
export async function instanceStatus(checks: Checks, lags?: () => Promise<Lags>): Promise<InstanceStatus> {
  const uptimeSeconds = Math.round(process.uptime());
  const [{ ready, failed }, behind] = await Promise.all([readinessNow(checks), lags?.()]);
  return {
    service: build.service,
    version: build.version ?? null,
    commit: build.commit ?? null,
    startedAt: new Date(Date.now() - uptimeSeconds * 1_000).toISOString(),
    uptimeSeconds,
    ready,
    failed,
    ...(behind ?? { followers: [], groups: [] }),
  };
}

/** `GET /health/status`: returns InstanceStatus even if the instance is not ready. The gateway does not route to it. */
export const statusRoute =
  (checks: Checks, lags: () => Promise<Lags>): RequestHandler =>
  async (_req, res) => {
    res.json(await instanceStatus(checks, lags));
  };
