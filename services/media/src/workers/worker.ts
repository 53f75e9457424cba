// A process of its own for strangers' pictures: it holds no secret and no connection, a decoder that crashes or hangs takes
// nothing else with it, and the memory pictures need goes back to the machine when it ends.
import { perform } from './jobs.ts';
import type { Job } from './jobs.ts';

async function answer(job: Job): Promise<void> {
  const outcome = await perform(job);
  process.send?.(outcome);
}
// A rejection ends this process, which the service takes for a failed job.
process.on('message', (job: Job) => void answer(job));
// Not `exit`, which waits for the decoder's threads: the service is gone, or done with us.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Ctrl-C reaches the whole group; the service ends us when the work in hand is done.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
