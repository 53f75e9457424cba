import { common, readConfig, urlList } from '@beltway/kit/config';

export const readCatalogConfig = () => readConfig({ ...common, MEDIA_URL: urlList });
