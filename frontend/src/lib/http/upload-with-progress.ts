import type { ZodType } from 'zod';
import { get, toError } from './http.ts';
import { sessionStore } from '../storage/session-store.ts';

interface UploadOptions {
  /** The fraction sent, 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
  headers?: Record<string, string>;
}

/**
 * POST multipart with progress, which fetch cannot report. Rejects with `HttpError`; `TypeError` without a network;
 * `AbortError` when canceled.
 */
export async function uploadWithProgress<T>(
  path: string,
  form: FormData,
  schema: ZodType<T>,
  options: UploadOptions,
): Promise<T> {
  // Renews the session first if needed, so that a large body is not sent twice.
  await get('/api/auth/me', undefined, { signal: options.signal, action: true });
  const answer = await sent(path, form, options);
  if (answer.ok) return schema.parse(await answer.json());
  throw await toError(answer);
}

const sent = (path: string, form: FormData, { onProgress, signal, headers = {} }: UploadOptions) =>
  new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    for (const [name, value] of Object.entries({ accept: 'application/json', ...headers }))
      request.setRequestHeader(name, value);
    const token = sessionStore.latestToken();
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => lengthComputable && onProgress(loaded / total);
    request.onload = () => {
      const retryAfter = request.getResponseHeader('retry-after');
      resolve(
        new Response(request.responseText, {
          status: request.status,
          headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
        }),
      );
    };
    request.onerror = () => reject(new TypeError('no answer'));
    request.onabort = () => reject(new DOMException('canceled', 'AbortError'));
    if (signal.aborted) return reject(new DOMException('canceled', 'AbortError'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
