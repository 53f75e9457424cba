import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** The status of an answer, or why there is none. */
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

/** What an answer says is missing: `: identity (answers 503)`. Nothing when there is none, as while a process starts. */
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

/** Each question costs both sides processor time, while eight services start on few cores. */
const PAUSE_MS = 80;

/** Asks until the answer is 200. Every 10 s it tells what is still missing; gives up when `signal` does. */
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
