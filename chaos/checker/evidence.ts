/**
 * Input of the checker. The checker shares no code with the services. It reads the services' logs as rows, and the
 * records of the clients and the provider.
 */
export interface Evidence {
  ticketing: LoggedEvent[];
  payments: LoggedEvent[];
  catalog: LoggedEvent[];
  client: ClientCall[];
  bank: BankPayment[];
  rows: Rows;
  people: People;
}

/** A row of an `events` table. */
export interface LoggedEvent {
  stream: string;
  version: number;
  type: string;
  data: Record<string, unknown>;
  commandId: string | null;
  correlationId: string;
  /** Time of the decision, in ms since 1970. */
  occurredAt: number;
  /** The transaction that appended the event. All log events of a transaction become visible together. */
  tx: string;
  position: number;
}

export type CallName =
  | 'open-sale'
  | 'change-sale'
  | 'cancel-sale'
  | 'hold'
  | 'intent'
  | 'confirm'
  | 'process'
  | 'extend'
  | 'give-back'
  | 'refund'
  | 'look'
  | 'promote'
  | 'confirm-promotion'
  | 'advertise'
  | 'join'
  | 'erase'
  /** A webhook that the provider did not send. */
  | 'forge'
  /** Not a request: the harness observed that nothing was in progress any longer. */
  | 'rest';

/** One request of a client, from its own ledger. Times in ms since 1970. */
export interface ClientCall {
  n: number;
  call: CallName;
  /** Repeats of one request have the same key. */
  key: string;
  sentAt: number;
  answeredAt: number | null;
  /** `unknown`: no response, or a response that leaves the outcome open (5xx, 429). */
  outcome: 'acknowledged' | 'refused' | 'unknown';
  eventId?: number;
  quantity?: number;
  capacity?: number;
  orderId?: string;
  paymentId?: string;
  status?: number;
  /** The problem code of the response, such as `sold-out`. */
  code?: string;
  requestId?: string;
  /** The status in the response, such as `fulfilled` or `succeeded`. */
  result?: string;
  /** Ticket codes that the buyer saw. */
  codes?: string[];
}

/** A payment in the card provider's own records. Cents. */
export interface BankPayment {
  paymentId: string;
  /** Purpose from the payment's metadata; undefined: tickets. */
  purpose?: string;
  /** The id of the purchase; for tickets, the id of the order. */
  orderId: string;
  status: string;
  amount: number;
  received: number;
  refunded: number;
  /** Amount in the organizer's account. */
  transferred: number;
}

/** Erased accounts, and the places that still contain their names or email addresses. */
export interface People {
  erased: number[];
  /** `mark`: the key of the account's first call. */
  left: Array<{ mark: string; place: string }>;
}

/** Read models, which must match the logs. */
export interface Rows {
  availability: Array<{ eventId: number; capacity: number; sold: number; held: number; closed: string | null }>;
  orders: Array<{ orderId: string; eventId: number; quantity: number; status: string }>;
  tickets: Array<{ id: string; orderId: string; code: string; status: string }>;
  /** Ticketing's copy of the catalog's data. */
  listings: Array<{ eventId: number; title: string; status: string }>;
  /** The catalog's copy of ticketing's data. */
  stock: Array<{ eventId: number; sold: number; held: number }>;
  payments: Array<{ orderId: string; paymentId: string; status: string }>;
  ledger: Array<{ paymentId: string; event: string; account: string; cents: number }>;
}

/** The kinds of violations. The last line of a run has a count for each. */
export const KINDS = [
  'oversold',
  'undersold',
  'lost',
  'refusedButSold',
  'duplicate',
  'paidUnsettled',
  'log',
  'readModel',
  'ledger',
  'notErased',
] as const;
export type Kind = (typeof KINDS)[number];

export interface Violation {
  kind: Kind;
  what: string;
}

export const violation = (kind: Kind, what: string): Violation => ({ kind, what });
