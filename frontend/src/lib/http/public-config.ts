import { PublicConfig } from '@beltway/contracts/ops/config';
import { get } from './http.ts';
import { apiQuery } from './query.ts';
import { traceShare } from './trace.ts';

/** GET /api/config. From then on requests are traced, if the server records traces. */
export async function publicConfig({ signal }: { signal: AbortSignal }): Promise<PublicConfig> {
  const config = await get('/api/config', PublicConfig, { signal });
  traceShare(config.tracesRatio ?? 0);
  return config;
}

export const configQuery = () => ({ ...apiQuery(PublicConfig, '/api/config'), queryFn: publicConfig });
