import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench } from '../support/bench.ts';
import { requestOf } from '../support/connection.ts';
import { pacedLoad } from '../support/paced-load.ts';
import { digits, ratioOf } from '../support/statistics.ts';
import { startSystem, tokensOf } from '../support/system.ts';
import { makeVideos, type Lines } from './lines.ts';

const EVENTS = 24;
const BROWSES_PER_SECOND = 100;
/** Nearly the maximum size of a video. */
const BYTES = 50 * 1024 * 1024 - 1_024;
/** A fifth of `BYTES`. Uploads of both sizes need the same memory if no buffer grows with the video. */
const FEW_BYTES = BYTES / 5;
const AT_ONCE = 10;
/** 40 Mbit/s: a fast home connection. Ten such connections send 50 MB a second. */
const BYTES_PER_SECOND = 5_000_000;

/** MB of a process's anonymous memory, without mapped files. */
const anonymousMb = (pid: number): number =>
  Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN) / 1_024;

export const bench: Bench = {
  about: 'GET /api/events while ten videos of 50 MB are uploaded, over p50 and p99 without; memory meanwhile',
  defaults: { rounds: 3, seconds: 10 },

  async run(options) {
    const { rounds, seconds, say } = options;
    const { api, port, processes } = await startSystem(options);
    const organizer = await api.register('Ola Organizer', 'business');
    for (let event = 0; event < EVENTS; event++)
      await api.launch(organizer.token, { hasTickets: false, ticketSalesEnabled: false, title: `Night ${event}` });
    const pidOf = (name: string) => processes().find(({ service }) => service === name)!.pid;
    const watched = { gateway: pidOf('gateway'), media: pidOf('media') };
    const memory = () => ({ gateway: anonymousMb(watched.gateway), media: anonymousMb(watched.media) });

    const wrong: string[] = [];
    const browse = async (forSeconds: number, isOver?: () => boolean) => {
      const next = () => requestOf('GET', '/api/events', []);
      const load = { port, perSecond: BROWSES_PER_SECOND, seconds: forSeconds, connections: 32, next };
      const figures = await pacedLoad({ ...load, ...(isOver && { isOver }) });
      const answered = Object.values(figures.statuses).reduce((sum, count) => sum + count, 0);
      if (figures.statuses[200] !== answered) wrong.push(`browsing was answered ${JSON.stringify(figures.statuses)}`);
      return figures;
    };
    let seed = 0;
    /** Uploads videos, and measures concurrent browsing and peak memory. */
    const upload = async (count: number, bytesPerSecond: number, bytes = BYTES) => {
      const tokens = await tokensOf(api, count);
      const lines: Lines = { port, tokens, bytes, bytesPerSecond, seed: ++seed };
      const send = await makeVideos(lines);
      let isOver = false;
      const most = memory();
      const watch = async () => {
        while (!isOver) {
          const now = memory();
          for (const name of ['gateway', 'media'] as const) most[name] = Math.max(most[name], now[name]);
          await pause(100);
        }
      };
      const watching = watch();
      const since = performance.now();
      const sent = send().finally(() => (isOver = true));
      const figures = await browse(300, () => isOver);
      const statuses = await sent;
      await watching;
      if (statuses[201] !== count) wrong.push(`${count} uploads were answered ${JSON.stringify(statuses)}`);
      return { ...figures, most, seconds: (performance.now() - since) / 1_000 };
    };

    await browse(seconds);
    await upload(1, BYTES_PER_SECOND);
    const quiet: Record<'p50Ms' | 'p99Ms', number[]> = { p50Ms: [], p99Ms: [] };
    const busy: typeof quiet = { p50Ms: [], p99Ms: [] };
    const flatOut: typeof quiet = { p50Ms: [], p99Ms: [] };
    const before = memory();
    const grew = { small: { gateway: 0, media: 0 }, one: { gateway: 0, media: 0 }, ten: { gateway: 0, media: 0 } };
    for (let round = 1; round <= rounds; round++) {
      const alone = await browse(seconds);
      const small = await upload(1, Infinity, FEW_BYTES);
      const one = await upload(1, Infinity);
      const ten = await upload(AT_ONCE, BYTES_PER_SECOND);
      const fast = await upload(AT_ONCE, Infinity);
      for (const kind of ['p50Ms', 'p99Ms'] as const) {
        quiet[kind].push(alone[kind]);
        busy[kind].push(ten[kind]);
        flatOut[kind].push(fast[kind]);
      }
      for (const name of ['gateway', 'media'] as const) {
        grew.small[name] = Math.max(grew.small[name], Math.round(small.most[name] - before[name]));
        grew.one[name] = Math.max(grew.one[name], Math.round(one.most[name] - before[name]));
        grew.ten[name] = Math.max(grew.ten[name], Math.round(Math.max(ten.most[name], fast.most[name]) - before[name]));
      }
      const said = (what: string, { p50Ms, p99Ms }: { p50Ms: number; p99Ms: number }) =>
        `${what} p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
      say(
        `round ${round}: ${said('quiet', alone)}; ${said('ten over lines', ten)} (${ten.seconds.toFixed(0)} s); ` +
          `${said('ten flat out', fast)} (${fast.seconds.toFixed(0)} s)`,
      );
    }
    wrong.forEach((line) => say(`NOT EXACT: ${line}`));
    return {
      ratios: {
        p50: ratioOf(busy.p50Ms, quiet.p50Ms),
        p99: ratioOf(busy.p99Ms, quiet.p99Ms),
        'flat-out-p50': ratioOf(flatOut.p50Ms, quiet.p50Ms),
        'flat-out-p99': ratioOf(flatOut.p99Ms, quiet.p99Ms),
      },
      grewMb: grew,
      beforeMb: { gateway: digits(before.gateway), media: digits(before.media) },
      exact: wrong.length === 0,
    };
  },
};
