/** What the checker judges by. Nothing here is shared with the services: it is their logs, as rows, and what others saw. */
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
  /** When it was decided, ms since 1970. */
  occurredAt: number;
  /** The transaction that appended it: its log events become visible together. */
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
  /** Not a request: the harness saw that nothing was on its way any more. */
  | 'rest';

/** One request of a client, from its own ledger. Times in ms since 1970. */
export interface ClientCall {
  n: number;
  call: CallName;
  /** Repeats of one request carry one key. */
  key: string;
  sentAt: number;
  answeredAt: number | null;
  /** `unknown`: no answer, or one that promises nothing (5xx, 429). */
  outcome: 'acknowledged' | 'refused' | 'unknown';
  eventId?: number;
  quantity?: number;
  capacity?: number;
  orderId?: string;
  paymentId?: string;
  status?: number;
  /** The problem's code, `sold-out`. */
  code?: string;
  requestId?: string;
  /** The resulting status in the answer: `fulfilled`, `succeeded`. */
  result?: string;
  /** Ticket codes the buyer was shown. */
  codes?: string[];
}

/** A payment as the card provider itself has it. Cents. */
export interface BankPayment {
  paymentId: string;
  /** What was bought, by its metadata; missing: tickets. */
  purpose?: string;
  /** The purchase's id, of tickets the order's. */
  orderId: string;
  status: string;
  amount: number;
  received: number;
  refunded: number;
  /** What of it is with the organizer's account. */
  transferred: number;
}

/** Erased accounts, and where their names or addresses are still found. */
export interface People {
  erased: number[];
  /** `mark`: as the account's first call has it for its key. */
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

/** The kinds of broken promises; each counts in the last line of a run. */
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
