import { appendFileSync, readFileSync } from 'node:fs';
import type { CallName, ClientCall } from '../checker/evidence.ts';

export type Asked = Pick<ClientCall, 'call' | 'key' | 'eventId' | 'quantity' | 'capacity' | 'orderId' | 'paymentId'> & {
  /** Where it was sent: the gateway, or one instance. */
  to: string;
};
export type Answered = Pick<
  ClientCall,
  'outcome' | 'status' | 'code' | 'requestId' | 'eventId' | 'orderId' | 'paymentId' | 'result' | 'codes'
>;

/** What the clients know: a line before each request, a line after its answer. Only ever appended to; outlives every killed process. */
export interface ClientLedger {
  file: string;
  /** Writes the request down; answers how to write down what came of it. */
  ask(asked: Asked): (answered: Answered) => void;
  /** Requests so far, and how many of each call were acknowledged. */
  counts(): { requests: number; acknowledged: Partial<Record<CallName, number>> };
}

export function openClientLedger(file: string): ClientLedger {
  let requests = 0;
  const acknowledged: Partial<Record<CallName, number>> = {};
  const write = (line: object) => appendFileSync(file, `${JSON.stringify(line)}\n`);
  return {
    file,
    ask: (asked) => {
      const n = ++requests;
      write({ n, at: Date.now(), ...asked });
      return (answered) => {
        write({ n, at: Date.now(), ...answered });
        if (answered.outcome === 'acknowledged') acknowledged[asked.call] = (acknowledged[asked.call] ?? 0) + 1;
      };
    },
    counts: () => ({ requests, acknowledged: { ...acknowledged } }),
  };
}

type Line = { n: number; at: number } & Partial<Asked> & Partial<Answered>;

/** The ledger as calls: a request without an answer has an unknown outcome. */
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
