/**
 * Makes this process a worker of a pool (`pool.ts`) that answers each job. The process has no secrets or connections. A
 * decoder that crashes or hangs affects nothing else, and its memory is freed when the process ends.
 */
export function answerJobs<Job, Outcome>(perform: (job: Job) => Promise<Outcome>): void {
  // A rejection terminates this process, which the pool treats as a failed job.
  process.on('message', (job: Job) => void perform(job).then((outcome) => process.send?.(outcome)));
  // Kills the process, because `exit` waits for the decoder's threads. The service has exited or no longer needs this
  // process.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // Ctrl-C reaches the whole process group, so workers ignore it. The service ends them when the current work is done.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
}
