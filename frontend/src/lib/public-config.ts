import { PublicConfig } from '@beltway/contracts/config';
import { apiQuery } from './query.ts';

/** GET /api/config */
export const configQuery = () => apiQuery(PublicConfig, '/api/config');
