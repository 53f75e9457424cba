import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** Requests a URL. Resolves with status and body of the answer, or with the error message. */
const ask = (url: string): Promise<{ status: number; body: string } | string> =>
  new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: 5_000 }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      response.on('error', (error) => resolve(error.message));
    });
    request.on('timeout', () => request.destroy(new Error('no answer in 5 s')));
    request.on('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? error.message));
  });

/**
 * The reasons that a response gives for not being ready, such as `: identity (answers 503)`. Empty without a response,
 * as during a start.
 */
function reasons(answer: { body: string } | string): string {
  if (typeof answer === 'string') return '';
  try {
    const { failed = {} } = JSON.parse(answer.body) as { failed?: Record<string, string> };
    const parts = Object.entries(failed).map(([part, why]) => `${part} (${why})`);
    return parts.length > 0 ? `: ${parts.join(', ')}` : '';
  } catch {
    return `: ${answer.body.slice(0, 200)}`;
  }
}

/**
 * Pause between polls: each request costs processor time in both processes, while eight services start on few cores.
 */
const PAUSE_MS = 80;

/** Polls until the answer is 200. Prints every 10 s which parts are not ready; ends when `signal` aborts. */
export async function untilReady(
  name: string,
  url: string,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let next = Date.now() + 10_000;
  while (!signal.aborted) {
    const answer = await ask(url);
    if (typeof answer === 'object' && answer.status === 200) return;
    if (Date.now() > next) {
      next += 10_000;
      say(`still waiting for ${name}${reasons(answer)}`);
    }
    await pause(PAUSE_MS);
  }
}
