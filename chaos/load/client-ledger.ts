import { appendFileSync, readFileSync } from 'node:fs';
import type { CallName, ClientCall } from '../checker/evidence.ts';

export type Asked = Pick<ClientCall, 'call' | 'key' | 'eventId' | 'quantity' | 'capacity' | 'orderId' | 'paymentId'> & {
  /** The recipient: the gateway, or one instance. */
  to: string;
};
export type Answered = Pick<
  ClientCall,
  'outcome' | 'status' | 'code' | 'requestId' | 'eventId' | 'orderId' | 'paymentId' | 'result' | 'codes'
>;

/**
 * The clients' own record: one line before each request, and one line after its response. The file is append-only and
 * survives every killed process.
 */
export interface ClientLedger {
  file: string;
  /** Records the request; returns a function that records its outcome. */
  ask(asked: Asked): (answered: Answered) => void;
  /** Number of requests so far, and numbers of acknowledged and of refused requests for each call. */
  counts(): { requests: number } & Record<'acknowledged' | 'refused', Partial<Record<CallName, number>>>;
}

export function openClientLedger(file: string): ClientLedger {
  let requests = 0;
  const acknowledged: Partial<Record<CallName, number>> = {};
  const refused: Partial<Record<CallName, number>> = {};
  const write = (line: object) => appendFileSync(file, `${JSON.stringify(line)}\n`);
  return {
    file,
    ask: (asked) => {
      const n = ++requests;
      write({ n, at: Date.now(), ...asked });
      return (answered) => {
        write({ n, at: Date.now(), ...answered });
        const counted = { acknowledged, refused, unknown: undefined }[answered.outcome];
        if (counted) counted[asked.call] = (counted[asked.call] ?? 0) + 1;
      };
    },
    counts: () => ({ requests, acknowledged: { ...acknowledged }, refused: { ...refused } }),
  };
}

type Line = { n: number; at: number } & Partial<Asked> & Partial<Answered>;

/** Reads the ledger as calls. A request without a response has an unknown outcome. */
export function readClientLedger(file: string): ClientCall[] {
  const calls = new Map<number, ClientCall>();
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    if (text === '') continue;
    const { n, at, ...line } = JSON.parse(text) as Line;
    const call = calls.get(n);
    if (call) Object.assign(call, line, { answeredAt: at });
    else calls.set(n, { n, sentAt: at, answeredAt: null, outcome: 'unknown', ...line } as ClientCall);
  }
  return [...calls.values()];
}
