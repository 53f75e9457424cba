import { z } from 'zod';
import { common, readConfig } from '@beltway/kit/config';

export const readCatalogConfig = () => readConfig({ ...common, MEDIA_URL: z.url() });
