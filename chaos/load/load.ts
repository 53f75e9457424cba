import { setTimeout as pause } from 'node:timers/promises';
import { buy, type Shop } from './buyer.ts';
import { organizerOf } from './organizer.ts';
import { NIGHT_MS, nightPlan, attemptOf } from './plan.ts';

export interface LoadOptions extends Shop {
  url: string;
  seed: string;
  perSecond: number;
  organizer: string;
  /** Tokens of the members. */
  members: string[];
  /** Stops new attempts and retries. */
  over: AbortSignal;
}

export interface Load {
  /** Resolves when the first night's sales are open. */
  begun: Promise<void>;
  /** Every sale that was opened. */
  sales(): number[];
  attempts(): number;
  /** Stops new attempts. Resolves when the running attempts have ended. */
  stop(): Promise<void>;
}

const AT_ONCE = 60;
const EARLY_MS = 4_000;
/** Time in ms until the organizer sets up payouts. By then, some purchases were made, so that money is owed. */
const PAYOUTS_MS = 5_000;

/** Runs the seed's purchases at a steady rate, night after night, until stopped. */
export function startLoad(options: LoadOptions): Load {
  const { client, seed, perSecond, members, over } = options;
  const organizer = organizerOf(client, options.organizer, options.publishableKey, over);
  const nights: number[][] = [];
  const stopping = new AbortController();
  const under = new Set<Promise<void>>();
  const track = (work: Promise<void>) => {
    under.add(work);
    void work.finally(() => under.delete(work));
  };
  let attempts = 0;

  async function openNight(night: number): Promise<void> {
    const plans = nightPlan(seed, night);
    const opened: number[] = [];
    await Promise.all(
      plans.map(async (plan) => {
        const eventId = await organizer.open(plan);
        if (eventId === undefined) return;
        opened.push(eventId);
        track(organizer.follow(plan, eventId));
      }),
    );
    // Sorted, so that an attempt's number selects the same sale in every run of a seed.
    nights[night] = opened.sort((a, b) => a - b);
  }

  const begun = openNight(0);
  async function run(): Promise<void> {
    await begun;
    track(pause(PAYOUTS_MS, undefined, { signal: stopping.signal }).then(organizer.setUpPayouts, () => undefined));
    const start = Date.now();
    for (let n = 0; !stopping.signal.aborted; n++) {
      const attempt = attemptOf(seed, n, perSecond);
      const ahead = Math.floor((attempt.at + EARLY_MS) / NIGHT_MS);
      if (ahead > 0 && nights[ahead] === undefined) {
        nights[ahead] = [];
        track(openNight(ahead));
      }
      const wait = start + attempt.at - Date.now();
      if (wait > 0) await pause(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
      while (under.size >= AT_ONCE && !stopping.signal.aborted) await pause(20);
      if (stopping.signal.aborted) return;
      const night = nights[attempt.night]?.length
        ? nights[attempt.night]!
        : (nights.findLast((one) => one.length > 0) ?? []);
      const eventId = night[attempt.sale % Math.max(night.length, 1)];
      if (eventId === undefined) continue;
      attempts++;
      track(
        buy(options, attempt, eventId, attempt.member === null ? undefined : members[attempt.member % members.length]),
      );
    }
  }
  const running = run();
  return {
    begun,
    sales: () => nights.flat(),
    attempts: () => attempts,
    stop: async () => {
      stopping.abort();
      await running;
      while (under.size > 0) await Promise.all(under);
    },
  };
}
