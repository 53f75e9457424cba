import { z } from 'zod';
import { answerBody } from '../bodies/answer-body.ts';
import { fetchService } from './service-tls.ts';

/** The body of `GET /health/ready` (`health.ts`). The names of failed checks can make it long. */
const Readiness = z.object({ service: z.string(), instance: z.string().regex(/^\w{1,64}$/) });
const MAX_BYTES = 16_384;

/**
 * The report of an address: whether it is ready, and its service and id if it responds in the format of Beltway's
 * services.
 */
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
 * Probes an address of a service. `late`: no complete response in time. `unreachable`: no connection, or the connection
 * broke. Never rejects.
 */
export async function probe(service: string, url: string, timeoutMs: number): Promise<Probed | 'late' | 'unreachable'> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await fetchService(service, new URL('/health/ready', url), { signal, redirect: 'manual' });
    const body = await answerBody(answer, MAX_BYTES);
    return { ...identityIn(String(body ?? '')), isReady: answer.ok };
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 'late' : 'unreachable';
  }
}
