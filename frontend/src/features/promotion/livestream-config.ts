import type { Event } from '@beltway/contracts/catalog/events';
import { LivestreamConfig, livestreamFault, usualLivestream } from '@beltway/contracts/catalog/livestream-config';
import { endOf, instantOf, startOf, zonedText } from '@beltway/contracts/common/times';
import { wholeNumber } from '@beltway/contracts/common/typed-number';
import { z } from 'zod';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { serverNow } from '../../lib/time/server-clock.ts';
import { texts } from './texts.en.ts';

/** The editor's fields. Times are wall times in New York, such as "2026-12-05T19:00", or empty. */
export const LivestreamForm = z.object({
  startTime: z.string(),
  endTime: z.string(),
  maxViewers: z.string(),
  chatEnabled: z.boolean(),
  recordingEnabled: z.boolean(),
});
export type LivestreamForm = z.infer<typeof LivestreamForm>;

const MINUTE_MS = 60_000;

const wallTime = (instant: Date): string => zonedText(instant).slice(0, 16);

/**
 * Converts a wall time in New York, such as "2026-12-05T19:00", to UTC. Other text stays unchanged, and the contract
 * refuses it.
 */
const instantText = (wall: string): string => {
  const [day = '', time = ''] = wall.split('T');
  return /^\d{4}-\d\d-\d\d$/.test(day) && /^\d\d:\d\d$/.test(time) ? instantOf(day, time).toISOString() : wall;
};

/** Converts a configuration to the editor's fields. */
export const formOf = ({ startTime, endTime, maxViewers, ...rest }: LivestreamConfig): LivestreamForm => ({
  startTime: wallTime(new Date(startTime)),
  endTime: wallTime(new Date(endTime)),
  maxViewers: String(maxViewers),
  chatEnabled: rest.chatEnabled,
  recordingEnabled: rest.recordingEnabled,
});

export const usualForm = (event: Event): LivestreamForm =>
  formOf(usualLivestream({ startsAt: startOf(event), endsAt: endOf(event) }, new Date(serverNow())));

/** Validates the form with the contract that the server uses. */
export const configSchema = (event: Event) =>
  LivestreamForm.transform((form) => ({
    ...form,
    startTime: instantText(form.startTime),
    endTime: instantText(form.endTime),
    maxViewers: wholeNumber(form.maxViewers) ?? Number.NaN,
  }))
    .pipe(LivestreamConfig)
    .superRefine((config, context) => {
      const hours = { startsAt: startOf(event), endsAt: endOf(event) };
      const fault = livestreamFault(config, hours, new Date(serverNow()));
      if (fault) context.addIssue({ code: 'custom', path: [fault.field], message: fault.text });
    });

/** "2 hours 30 minutes" */
export function durationOf({ startTime, endTime }: Pick<LivestreamConfig, 'startTime' | 'endTime'>): string {
  const minutes = Math.round((Date.parse(endTime) - Date.parse(startTime)) / MINUTE_MS);
  const t = textsNow(texts);
  const parts = [
    [Math.floor(minutes / 60), 'hours'],
    [minutes % 60, 'minutes'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => t(unit, { count }))
    .join(' ');
}
