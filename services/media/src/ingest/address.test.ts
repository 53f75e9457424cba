import { expect, test } from 'vitest';
import { ingestAddress } from './ingest.ts';

test('signals are received at the configured address, and cameras unless turned off', () => {
  expect(ingestAddress({})).toBeUndefined();
  const INGEST_ADDRESS = '0.0.0.0:1935';
  expect(ingestAddress({ INGEST_ADDRESS, DATA_DIR: '/data' })).toEqual({
    ...{ host: '0.0.0.0', port: 1935, publicUrl: undefined, takesCameras: true, folder: '/data/ingest/1935' },
  });
  expect(ingestAddress({ INGEST_ADDRESS, INGEST_CAMERAS: 'on' })?.takesCameras).toBe(true);
  expect(ingestAddress({ INGEST_ADDRESS, INGEST_CAMERAS: 'off' })?.takesCameras).toBe(false);
});
