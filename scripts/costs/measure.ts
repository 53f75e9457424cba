import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { RunningProcess } from '../launcher/processes/roster.ts';
import type { Used } from './probe.ts';

/** A request to a server. */
export interface Ask {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body?: string | FormData | Uint8Array;
}

export interface Answered {
  status: number;
  bytes: number;
}

export async function ask({ url, ...init }: Ask): Promise<Answered> {
  const answer = await fetch(url, { ...init, redirect: 'manual' } as RequestInit);
  return { status: answer.status, bytes: (await answer.arrayBuffer()).byteLength };
}

/** Reads the usage of the processes of a system that loaded `probe.ts` into each. */
export function openProbes(folder: string, processes: () => RunningProcess[]) {
  const usedBy = async ({ pid }: RunningProcess): Promise<Used> =>
    JSON.parse(await text(connect(join(folder, `${pid}.sock`)))) as Used;

  /** The usage of each service, summed over its instances. */
  async function used(): Promise<Map<string, Used>> {
    const all = new Map<string, Used>();
    const services = processes().filter(({ service }) => service !== 'postgres');
    for (const one of services) {
      const { loopMs, rows } = await usedBy(one);
      const before = all.get(one.service) ?? { loopMs: 0, rows: 0 };
      all.set(one.service, { loopMs: before.loopMs + loopMs, rows: before.rows + rows });
    }
    return all;
  }

  /** Usage of all services during `work`, and its duration in ms. */
  async function during(work: () => Promise<unknown>) {
    const before = await used();
    const since = performance.now();
    await work();
    const ms = performance.now() - since;
    const after = await used();
    const more = (service: string, of: keyof Used) =>
      (after.get(service)?.[of] ?? 0) - (before.get(service)?.[of] ?? 0);
    return { ms, more, services: [...after.keys()] };
  }

  return {
    /**
     * Runs `work`, which sends `count` requests. Returns the cost of one request, minus the usage of an idle system
     * (`idle`, from `during` a rest).
     */
    async costOf(count: number, work: () => Promise<unknown>, idle: Awaited<ReturnType<typeof during>>) {
      const taken = await during(work);
      const share = taken.ms / idle.ms;
      const each = (service: string, of: keyof Used) =>
        Math.max(0, (taken.more(service, of) - idle.more(service, of) * share) / count);
      return {
        loopMs: (service: string) => each(service, 'loopMs'),
        rows: taken.services.reduce((sum, service) => sum + each(service, 'rows'), 0),
      };
    },
    during,
  };
}
