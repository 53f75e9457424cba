import { spawn, type ChildProcess } from 'node:child_process';
import { dirname } from 'node:path';

// The shell's `read` ends when the launcher's end of the pipe closes. The operating system closes it however the
// launcher ends.
const SCRIPT = `
read -r _
[ "$(head -n 1 "$1/postmaster.pid" 2>/dev/null)" = "$2" ] && kill -INT "$2" 2>/dev/null
if [ "$3" = remove ]; then
  i=0
  while kill -0 "$2" 2>/dev/null && [ $i -lt 50 ]; do sleep 0.1; i=$((i + 1)); done
  rm -rf "$4"
fi
`;

/**
 * Unlike the services, PostgreSQL does not notice that its parent was killed. Therefore a small shell waits on a pipe
 * until the launcher ends, and then stops the server. If the shell was killed too, the next start stops the server
 * (`stopStale`). `remove`: also delete the parent of the data folder, for tests.
 */
export function watch(server: ChildProcess, folder: string, remove: boolean): void {
  if (process.platform === 'win32' || !server.pid) return;
  const args = ['-c', SCRIPT, 'watchdog', folder, String(server.pid), remove ? 'remove' : 'keep', dirname(folder)];
  const shell = spawn('sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.on('error', () => undefined);
  shell.stdin?.on('error', () => undefined);
  shell.unref();
  (shell.stdin as unknown as { unref?: () => void }).unref?.();
  // A server that has ended needs no watchdog. With `remove` the shell ends on its own, because the pid file is gone.
  server.once('exit', () => (remove ? undefined : shell.kill('SIGKILL')));
}
