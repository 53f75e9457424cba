import { z } from 'zod';
import { common, readConfig, secretList, urlList } from '@beltway/kit/config';
import { mailVariables } from '@beltway/kit/mail/service';
import { RULES } from './sale/decider.ts';

/** What ticketing reads from its environment. */
export const variables = {
  ...common,
  /** This service itself, all its instances (which of them is this one their ids tell). Not set: it is the only one. */
  TICKETING_URL: urlList.optional(),
  PAYMENTS_URL: urlList,
  /** Not set: mails and PDFs have no pictures of events. */
  MEDIA_URL: urlList.optional(),
  PUBLIC_URL: z.url(),
  /** Makes ticket codes and order links unguessable, and seals the key that signs tickets. */
  TICKET_SECRET: secretList(),
  /** How long a hold lasts; decimals count. Chaos runs shorten it to see holds expire. */
  HOLD_MINUTES: z.coerce.number().min(0.01).max(60).default(RULES.holdMinutes),
  /** Changes of an event within so many minutes are told to its buyers by one mail; decimals count. */
  CHANGE_MAIL_MINUTES: z.coerce.number().min(0).max(1_440).default(5),
  /** Of one buyer in one sale, at a time. */
  MAX_OPEN_HOLDS: z.coerce.number().int().min(1).default(RULES.openHolds),
  MAX_HELD_TICKETS: z.coerce.number().int().min(1).default(RULES.heldTickets),
  /** Open held tickets of the guests of one address, over all sales. */
  MAX_HELD_PER_ADDRESS: z.coerce.number().int().min(1).max(100_000_000).default(100),
  ...mailVariables,
};

export const config = (env?: NodeJS.ProcessEnv) => readConfig(variables, env);
export type Config = ReturnType<typeof config>;
