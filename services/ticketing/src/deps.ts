import type { Pool } from 'pg';
import type { Allowances } from '@beltway/kit/allowances';
import type { Authenticator } from '@beltway/kit/auth';
import type { InternalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import type { Secrets } from '@beltway/kit/secrets';
import type { Contacts } from './mail/contacts.ts';
import type { Pictures } from './mail/pictures.ts';
import type { NetworkHolds } from './checkout/network-holds.ts';
import type { Payments } from './checkout/payments.ts';
import type { Sales } from './sale/stream.ts';
import type { Papers } from './ticket/papers.ts';
import type { TicketSigner } from './ticket/signing.ts';

/** Dependencies of the routes; passed in by main and the tests. */
export interface Deps {
  log: Logger;
  pool: Pool;
  /** The pool for lists and sums over all orders, limited in connections and query time. */
  reportPool: Pool;
  sales: Sales;
  auth: Authenticator;
  payments: Payments;
  /** Limits the tickets held per network; undefined if there is no limit. */
  networkHolds?: NetworkHolds | undefined;
  /**
   * Limits per account, buyer and order over hours and days: for returned orders, messages and corrected email
   * addresses.
   */
  allowances: Allowances;
  /** Client of identity, which has the admins' audit log and the languages of accounts. */
  identity: Pick<InternalClient, 'get' | 'post'>;
  /** The email addresses at which organizers receive buyers' messages. */
  contacts: Contacts;
  signer: TicketSigner;
  ticketSecret: Secrets;
  publicUrl: string;
  /** Sender of mails, and the organizer in calendar files: "Beltway <tickets@beltway.test>". */
  mailFrom: string;
  /** Support email address for buyers; undefined if none is configured. */
  support: string | undefined;
  /** Event pictures for mails and PDFs. */
  pictures: Pictures;
  papers: Papers;
  clock: () => Date;
  /** Whether an event that ticketing does not know may still arrive from the catalog. */
  mayArrive: (eventId: number) => Promise<boolean>;
}
