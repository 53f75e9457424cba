import { s3Objects, S3Error } from '../objects/s3.ts';
import { s3Options, type ObjectsConfig } from '../objects/settings.ts';
import { attempted, networkFinding, type Finding } from './finding.ts';

/** S3 error codes, each with the environment variable that is wrong. */
const VARIABLES: Record<string, string> = {
  InvalidAccessKeyId: 'S3_ACCESS_KEY',
  XAdminUserNotFound: 'S3_ACCESS_KEY',
  SignatureDoesNotMatch: 'S3_SECRET_KEY',
  NoSuchBucket: 'S3_BUCKET',
  InvalidBucketName: 'S3_BUCKET',
  AccessDenied: 'S3_BUCKET',
  AuthorizationHeaderMalformed: 'S3_REGION',
  PermanentRedirect: 'S3_REGION',
};

/** Lists the bucket once. Throws `ConfigError` if the CA file cannot be read. */
export async function tryS3(config: ObjectsConfig): Promise<Finding> {
  const objects = s3Objects(s3Options(config));
  try {
    await attempted(objects.check(), () => objects.close());
    return { state: 'answers' };
  } catch (error) {
    if (error instanceof S3Error)
      return error.transient
        ? { state: 'away', why: error.message }
        : { state: 'refused', variable: VARIABLES[error.code] ?? 'S3_URL', why: error.message };
    const { hostname, port, protocol } = new URL(config.S3_URL!);
    const isTls = protocol === 'https:';
    const at = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (isTls ? 443 : 80)), isTls };
    return networkFinding(error, { url: 'S3_URL', tls: 'S3_URL', ca: 'S3_CA_FILE' }, at);
  }
}
