import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Logger } from '@beltway/kit/logger';
import { HttpProblem, badField, unavailable } from '@beltway/kit/problems';

/** The message sent to a camera's process, which responds with its own SDP. */
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
  /** Used instead of a stream key, valid only for this connection within this machine. */
  token: string;
  process: ChildProcess;
}

export interface Cameras {
  /**
   * Connects a browser's camera. Returns the SDP of the camera's process, and the id that closes the camera. Throws 400
   * for an invalid offer, 422 if the camera's process cannot connect, and 503 if all cameras are in use.
   */
  open(eventId: number, offer: string, rtmpUrl: (token: string) => string): Promise<{ id: string; answer: string }>;
  /** Closes the camera; does nothing if it is already closed. */
  close(eventId: number, id: string): void;
  /** The event of the camera with this token. */
  eventOf(token: string): number | undefined;
  stop(): void;
}

/** Each camera uses about one core to encode its video. */
const MAX_CAMERAS = 2;
const ANSWER_MS = 10_000;
const LONGEST_MS = 12 * 3_600_000;
const program = fileURLToPath(new URL('./camera.ts', import.meta.url));

/** Browser cameras, each in its own process without secrets in its environment. */
export function openCameras(log: Logger): Cameras {
  const cameras = new Map<string, Camera>();
  const end = (camera: Camera) => {
    cameras.delete(camera.id);
    camera.process.kill('SIGKILL');
  };

  return {
    async open(eventId, offer, rtmpUrl) {
      if (!/^v=0\r?\n/.test(offer) || !/^m=video /m.test(offer)) throw badField('body', 'invalid.offer');
      // A new offer means that the owner reloaded the page.
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
