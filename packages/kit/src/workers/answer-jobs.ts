/**
 * Makes this process a worker of a pool (`pool.ts`): answers each job. It holds no secret and no connection; a decoder
 * that crashes or hangs takes nothing else with it, and its memory goes back to the machine when it ends.
 */
export function answerJobs<Job, Outcome>(perform: (job: Job) => Promise<Outcome>): void {
  // A rejection ends this process, which the pool takes for a failed job.
  process.on('message', (job: Job) => void perform(job).then((outcome) => process.send?.(outcome)));
  // Not `exit`, which waits for the decoder's threads: the service is gone, or done with us.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // Ctrl-C reaches the whole group; the service ends us when the work in hand is done.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
}
