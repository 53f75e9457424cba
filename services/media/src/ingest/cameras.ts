import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Logger } from '@beltway/kit/logger';
import { HttpProblem, badField, unavailable } from '@beltway/kit/problems';

/** To the process of a camera, which answers with one of the other. */
export interface CameraOrder {
  /** SDP of the browser. */
  offer: string;
  rtmpUrl: string;
  wantsAudio: boolean;
}
export type CameraAnswer = { answer: string } | { fault: string };

interface Camera {
  id: string;
  eventId: number;
  /** In place of a stream key, for this one connection on this machine. */
  token: string;
  process: ChildProcess;
}

export interface Cameras {
  /** Connects a browser's camera. Answers with SDP and the number that ends it. Throws 400, 503. */
  open(eventId: number, offer: string, rtmpUrl: (token: string) => string): Promise<{ id: string; answer: string }>;
  /** Ends it; does nothing where there is none any more. */
  close(eventId: number, id: string): void;
  /** Which event a camera with this token is of. */
  eventOf(token: string): number | undefined;
  stop(): void;
}

/** Each takes about a core, to write its pictures anew. */
const MAX_CAMERAS = 2;
const ANSWER_MS = 10_000;
const LONGEST_MS = 12 * 3_600_000;
const program = fileURLToPath(new URL('./camera.ts', import.meta.url));

/** Cameras of browsers, each taken in by a process of its own with no secret in its environment. */
export function openCameras(log: Logger): Cameras {
  const cameras = new Map<string, Camera>();
  const end = (camera: Camera) => {
    cameras.delete(camera.id);
    camera.process.kill('SIGKILL');
  };

  return {
    async open(eventId, offer, rtmpUrl) {
      if (!/^v=0\r?\n/.test(offer) || !/^m=video /m.test(offer)) throw badField('body', 'invalid.offer');
      // Who comes anew has reloaded the page.
      for (const camera of cameras.values()) if (camera.eventId === eventId) end(camera);
      if (cameras.size >= MAX_CAMERAS) throw unavailable('cameras-full', 60);
      const child = fork(program, {
        execArgv: ['--max-old-space-size=192'],
        env: { NODE_ENV: 'production', TZ: 'UTC' },
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      const camera: Camera = {
        id: randomUUID(),
        eventId,
        token: `whip-${randomBytes(24).toString('base64url')}`,
        process: child,
      };
      cameras.set(camera.id, camera);
      const longest = setTimeout(() => end(camera), LONGEST_MS);
      longest.unref();
      child.once('exit', () => {
        clearTimeout(longest);
        cameras.delete(camera.id);
      });
      const answered = await new Promise<CameraAnswer>((resolve) => {
        const timer = setTimeout(() => resolve({ fault: 'it took too long' }), ANSWER_MS);
        const done = (answer: CameraAnswer) => {
          clearTimeout(timer);
          resolve(answer);
        };
        child.once('message', done);
        child.once('error', (error) => done({ fault: error.message }));
        child.once('exit', () => done({ fault: 'it ended' }));
        const wantsAudio = /^m=audio /m.test(offer);
        child.send({ offer, rtmpUrl: rtmpUrl(camera.token), wantsAudio } satisfies CameraOrder, () => undefined);
      });
      if ('answer' in answered) return { id: camera.id, answer: answered.answer };
      log.info({ why: answered.fault }, 'a camera could not be connected');
      end(camera);
      throw new HttpProblem(422, 'no-connection');
    },
    close(eventId, id) {
      const camera = cameras.get(id);
      if (camera?.eventId === eventId) end(camera);
    },
    eventOf: (token) => [...cameras.values()].find((camera) => camera.token === token)?.eventId,
    stop: () => [...cameras.values()].forEach(end),
  };
}
