import { z } from 'zod';
import { common, readConfig } from '@beltway/kit/config';

export const readMediaConfig = () =>
  readConfig({
    ...common,
    /** Pictures are kept under `objects` in this folder. */
    DATA_DIR: z.string().min(1),
    /** Pictures made at the same time, each in a process of its own. */
    MEDIA_WORKERS: z.coerce.number().int().min(1).max(16).default(2),
  });
