import { z } from 'zod';

// zod compiles schemas with `new Function`, which the page's content security policy forbids; each schema asks when it is
// made. So this is the first import of main.tsx, before any schema: else every visit reports a violation to the browser.
z.config({ jitless: true });
