import type { Pool } from 'pg';
import type { Allowances } from '@beltway/kit/allowances';
import type { Authenticator } from '@beltway/kit/auth';
import type { Logger } from '@beltway/kit/logger';
import type { Secrets } from '@beltway/kit/secrets';
import type { Pictures } from './mail/pictures.ts';
import type { NetworkHolds } from './checkout/network-holds.ts';
import type { Payments } from './checkout/payments.ts';
import type { Sales } from './sale/stream.ts';
import type { Papers } from './ticket/papers.ts';
import type { TicketSigner } from './ticket/signing.ts';

/** What the routes work with; main and the tests pass it in. */
export interface Deps {
  log: Logger;
  pool: Pool;
  /** For lists and sums over all orders: bounded in number and time. */
  reportPool: Pool;
  sales: Sales;
  auth: Authenticator;
  payments: Payments;
  /** Limits what the clients of one address hold; undefined: nothing does. */
  networkHolds?: NetworkHolds | undefined;
  /** Of buyers who return what they bought. */
  allowances: Allowances;
  signer: TicketSigner;
  ticketSecret: Secrets;
  publicUrl: string;
  /** Who sends mails, and stands as the organizer in calendar files: "Beltway <tickets@beltway.test>". */
  mailFrom: string;
  /** Whom buyers can ask; undefined where nobody is named. */
  support: string | undefined;
  /** Of events, for mails and paper. */
  pictures: Pictures;
  papers: Papers;
  clock: () => Date;
  /** An event that is unknown here may be on its way from the catalog. */
  mayArrive: (eventId: number) => Promise<boolean>;
}
