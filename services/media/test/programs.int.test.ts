import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';

const program = fileURLToPath(new URL('../src/ingest/program.ts', import.meta.url));

test('a program for streams exits with its parent, even if the parent is killed', async () => {
  const code = `import(${JSON.stringify(program)}).then(({ startProgram }) => {
    const child = startProgram('sleep', ['600'], () => undefined);
    child.once('spawn', () => setTimeout(() => console.log(child.pid), 100));
  })`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(said.toString());
  const lives = () => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  expect(lives()).toBe(true);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await eventually(() => Promise.resolve(!lives()), { what: 'the end of the program' });
});
