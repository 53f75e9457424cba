import { z } from 'zod';

/**
 * Misbehavior of webhooks. `late` waits `seconds`; `doubled` sends each event twice; `lost` holds all events until the
 * mode changes or a person delivers them; `shuffled` mixes the order within a window of `seconds`.
 */
export const WebhookSettings = z.strictObject({
  mode: z.enum(['normal', 'late', 'doubled', 'lost', 'shuffled']),
  seconds: z.number().min(0).max(3600).default(5),
});
export type WebhookSettings = z.infer<typeof WebhookSettings>;

/**
 * Misbehavior of the API, for chaos runs. `slow` waits `seconds`; `rate-limited` answers 429; `failing` answers 500
 * without any effect, even when the same idempotency key is repeated; `lost-answers` does the work, then breaks the
 * connection. `share`: the fraction of calls affected.
 */
export const ApiSettings = z.strictObject({
  mode: z.enum(['normal', 'slow', 'rate-limited', 'failing', 'lost-answers']),
  seconds: z.number().min(0).max(60).default(2),
  share: z.number().min(0).max(1).default(1),
});
export type ApiSettings = z.infer<typeof ApiSettings>;

export const Settings = z.object({
  webhooks: WebhookSettings.default({ mode: 'normal', seconds: 5 }),
  api: ApiSettings.default({ mode: 'normal', seconds: 2, share: 1 }),
});
export type Settings = z.infer<typeof Settings>;

/** Delays after which an event's deliveries fall due, in seconds; Infinity means held. */
export function dueIn({ mode, seconds }: WebhookSettings, random: () => number = Math.random): number[] {
  switch (mode) {
    case 'normal':
      return [0];
    case 'late':
      return [seconds];
    case 'doubled':
      return [0, random() * 0.5];
    case 'lost':
      return [Number.POSITIVE_INFINITY];
    case 'shuffled':
      return [random() * seconds];
  }
}

const PAUSES = [0.2, 1, 3, 10, 30, 60, 300, 900, 3600];
const GIVE_UP_AFTER = 3 * 24 * 3600;

/**
 * Seconds until a failed delivery is retried, which increase with each attempt. null once the delivery is three days
 * old and the sandbox gives up.
 */
export function nextPause(attempts: number, ageSeconds: number): number | null {
  if (ageSeconds > GIVE_UP_AFTER) return null;
  return PAUSES[Math.min(attempts, PAUSES.length) - 1] ?? 0.2;
}
