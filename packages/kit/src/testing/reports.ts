import { randomUUID } from 'node:crypto';
import type { ContentReports, QueueReportBody } from '@beltway/contracts/identity/moderation';
import type { Bus } from '../bus/bus.ts';
import { eventually } from './testing.ts';

type Kept = Pick<QueueReportBody, 'reporterId' | 'reason' | 'version'> & { note: string | null; at: string };

/**
 * A fake of identity's report queue, for services with reportable content. It accepts one report per account and
 * content, and another report for each version from `since` on. `group`: the consumer group of identity's messages.
 */
export function fakeReports(group: string) {
  /** All reports added to the queue, including repeats. */
  const queued: QueueReportBody[] = [];
  const kept = new Map<string, Kept[]>();
  const numbers = new Map<string, number>();
  let bus: Pick<Bus, 'publish' | 'lag'> | undefined;

  let refusal: Error | undefined;
  async function report(body: QueueReportBody): Promise<void> {
    const refused = refusal;
    refusal = undefined;
    if (refused) throw refused;
    queued.push(body);
    const { kind, id, reporterId, reason, note = null, version, since } = body;
    const caseId = `${kind}.${id}`;
    const before = kept.get(caseId) ?? [];
    const own = before.find((one) => one.reporterId === reporterId);
    if (own && own.version >= since) return;
    const now: Kept = { reporterId, reason, note, version, at: new Date().toISOString() };
    kept.set(caseId, [now, ...before.filter((one) => one !== own)]);
    const reports = (numbers.get(caseId) ?? 0) + 1;
    numbers.set(caseId, reports);
    const messageId = randomUUID();
    await bus!.publish('identity.events', [
      {
        id: messageId,
        type: 'identity.content-reported',
        version: 1,
        key: `case-${caseId}`,
        occurredAt: now.at,
        correlationId: messageId,
        causationId: messageId,
        data: { kind, id, reports },
      },
    ]);
  }

  return {
    queued,
    /** Sets the bus on which the fake publishes, once the bus is available. */
    joins: (to: typeof bus) => void (bus = to),
    post: async (path: string, body: unknown): Promise<unknown> => {
      if (path === '/internal/reports') return report(body as QueueReportBody);
      const { cases } = body as { cases: string[] };
      const items = cases.map((caseId) => ({
        id: caseId.slice(caseId.indexOf('.') + 1),
        reports: (kept.get(caseId) ?? []).map(({ reporterId: _reporterId, ...shown }) => shown),
      }));
      return { items } satisfies ContentReports;
    },
    /** Makes the next report fail. */
    refuse: (error: Error) => void (refusal = error),
    /** Resolves when all published messages of identity are handled. */
    settled: () =>
      eventually(async () => Object.values(await bus!.lag(group, ['identity.events'])).every((lag) => lag === 0)),
  };
}
