import { PublicConfig } from '@beltway/contracts/ops/config';
import { get } from './http.ts';
import { apiQuery } from './query.ts';
import { traceShare } from './trace.ts';

/** GET /api/config */
export const configQuery = () => ({
  ...apiQuery(PublicConfig, '/api/config'),
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const config = await get('/api/config', PublicConfig, { signal });
    traceShare(config.tracesRatio ?? 0);
    return config;
  },
});
