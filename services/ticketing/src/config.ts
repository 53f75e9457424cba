import { z } from 'zod';
import { common, readConfig, secretList, urlList } from '@beltway/kit/config';
import { mailVariables } from '@beltway/kit/mail/service';
import { RULES } from './sale/decider.ts';

export const variables = {
  ...common,
  /** URLs of all instances of this service. Each instance responds with its id. Not set: this is the only instance. */
  TICKETING_URL: urlList.optional(),
  PAYMENTS_URL: urlList,
  /** Not set: mails and PDFs have no event pictures. */
  MEDIA_URL: urlList.optional(),
  /**
   * URLs of the catalog, which has the contact email addresses of events. Not set: mails have no Reply-To, and
   * organizers get no messages from buyers.
   */
  CATALOG_URL: urlList.optional(),
  PUBLIC_URL: z.url(),
  /** The secret that makes ticket codes and order links unguessable and encrypts the signing key of tickets. */
  TICKET_SECRET: secretList(),
  /** How long a hold lasts, in minutes; decimals allowed. Chaos runs shorten it so that holds lapse during the run. */
  HOLD_MINUTES: z.coerce.number().min(0.01).max(60).default(RULES.holdMinutes),
  /** If an event changes several times within this many minutes, its buyers get one mail; decimals allowed. */
  CHANGE_MAIL_MINUTES: z.coerce.number().min(0).max(1_440).default(5),
  /** Maximum open holds of one buyer in one sale. */
  MAX_OPEN_HOLDS: z.coerce.number().int().min(1).default(RULES.openHolds),
  MAX_HELD_TICKETS: z.coerce.number().int().min(1).default(RULES.heldTickets),
  /** Maximum tickets that the guests of one IP address may hold at a time, over all sales. */
  MAX_HELD_PER_ADDRESS: z.coerce.number().int().min(1).max(100_000_000).default(100),
  ...mailVariables,
};

export const config = (env?: NodeJS.ProcessEnv) => readConfig(variables, env);
export type Config = ReturnType<typeof config>;
