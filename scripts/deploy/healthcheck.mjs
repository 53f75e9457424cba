// Ends with 0 when the service of this container says that it is ready. Plain JavaScript, because it starts every few seconds.
const port = process.env.SERVICE_PORT || process.env.PORT || 3000;
const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(3_000) }).catch(
  () => undefined,
);
process.exit(answer?.ok ? 0 : 1);
