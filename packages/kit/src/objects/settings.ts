import { readCaFile } from '../engines/ca-file.ts';
import type { S3Options } from './s3.ts';

/** Environment variables for object storage, declared by `objectsVariables` and checked by `readConfig`. */
export interface ObjectsConfig {
  DATA_DIR?: string | undefined;
  S3_URL?: string | undefined;
  S3_BUCKET?: string | undefined;
  S3_REGION?: string | undefined;
  S3_ACCESS_KEY?: string | undefined;
  S3_SECRET_KEY?: string | undefined;
  S3_CA_FILE?: string | undefined;
}

/** The options from a configuration that has S3_URL. Throws `ConfigError` if the CA file cannot be read. */
export const s3Options = (config: ObjectsConfig): S3Options => ({
  url: config.S3_URL!,
  bucket: config.S3_BUCKET!,
  region: config.S3_REGION ?? 'us-east-1',
  accessKey: config.S3_ACCESS_KEY!,
  secretKey: config.S3_SECRET_KEY!,
  ca: readCaFile('S3_CA_FILE', config.S3_CA_FILE),
});
