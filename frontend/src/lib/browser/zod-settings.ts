import { z } from 'zod';

// zod compiles schemas with `new Function`, which the content security policy of the page forbids. When a schema is
// created, zod tests this, and the browser logs a violation. So this must be the first import of main.tsx, before any
// schema.
z.config({ jitless: true });
