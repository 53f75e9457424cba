/** Limits of time and size for a request to a source. */
export interface Bounds {
  signal: AbortSignal;
  maxBytes: number;
  userAgent: string;
}

/** The source was late, sent too much or no JSON, or had an error of its own. Retry later. */
export class SourceUnavailable extends Error {
  override name = 'SourceUnavailable';
}

/**
 * Requests JSON from a configured URL. Rejects with SourceUnavailable, or with a plain Error if the source has no data
 * for this request (400, 404). Does not follow redirects, because they could lead into our own network.
 */
export async function getJson(url: URL, { signal, maxBytes, userAgent }: Bounds): Promise<unknown> {
  const headers = { accept: 'application/geo+json, application/json', 'user-agent': userAgent };
  try {
    const answer = await fetch(url, { redirect: 'manual', signal, headers });
    if (!answer.ok) {
      await answer.body?.cancel();
      if (answer.status === 400 || answer.status === 404) return Promise.reject(new Error(`${url.host} has no answer`));
      throw new Error(`${url.host} answered ${answer.status}`);
    }
    const parts: Uint8Array[] = [];
    let size = 0;
    // Leaving the loop early closes the connection.
    for await (const part of answer.body ?? []) {
      size += part.length;
      if (size > maxBytes) throw new Error(`${url.host} sent more than ${maxBytes} bytes`);
      parts.push(part);
    }
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown;
  } catch (error) {
    throw new SourceUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
