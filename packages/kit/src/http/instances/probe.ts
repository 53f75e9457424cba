import { z } from 'zod';
import { answerBody } from '../bodies/answer-body.ts';

/** What `GET /health/ready` says (`health.ts`); the names of failed checks make it longer. */
const Readiness = z.object({ service: z.string(), instance: z.string().regex(/^\w{1,64}$/) });
const MAX_BYTES = 16_384;

/** What an address says of itself: who it is, if it speaks as one of our services, and whether it is ready. */
export interface Probed {
  service: string | undefined;
  id: string | undefined;
  isReady: boolean;
}

function identityIn(text: string): { service: string | undefined; id: string | undefined } {
  try {
    const { service, instance } = Readiness.parse(JSON.parse(text));
    return { service, id: instance };
  } catch {
    return { service: undefined, id: undefined };
  }
}

/**
 * Asks an address for its readiness. `late`: there is no whole answer in time; `unreachable`: no connection, or it broke. Never
 * rejects.
 */
export async function probe(url: string, timeoutMs: number): Promise<Probed | 'late' | 'unreachable'> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await fetch(new URL('/health/ready', url), { signal, redirect: 'manual' });
    const body = await answerBody(answer, MAX_BYTES);
    return { ...identityIn(String(body ?? '')), isReady: answer.ok };
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 'late' : 'unreachable';
  }
}
