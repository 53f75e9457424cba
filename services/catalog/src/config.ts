import { z } from 'zod';
import { common, readConfig, urlList } from '@beltway/kit/config';

export const readCatalogConfig = () => readConfig({ ...common, MEDIA_URL: urlList, PUBLIC_URL: z.url() });
