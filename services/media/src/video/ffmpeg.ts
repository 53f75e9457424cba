import { spawn } from 'node:child_process';
import type { Logger } from '@beltway/kit/logger';
import { giveWay } from '@beltway/kit/give-way';
import type { VideoKind } from './found.ts';
import { VideoRefused } from './refusal.ts';

export interface FfmpegOptions {
  /** Where the programs are. Default: where package managers put them; what is not installed is not used. */
  ffmpeg?: string;
  ffprobe?: string;
  log: Logger;
  /** A run that takes longer is ended. Default 8 s. */
  runMs?: number;
}

export interface Ffmpeg {
  /** Whether a decoder reads the head of a file as we do. Throws `VideoRefused` when it does not; without ffprobe it says nothing. */
  check(path: string, kind: VideoKind): Promise<void>;
  /** A picture of the video as JPEG; undefined without ffmpeg, and when it cannot make one. */
  frameOf(path: string, kind: VideoKind): Promise<Buffer | undefined>;
}

/** Where package managers put programs. */
const PLACES = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';
const RUN_MS = 8_000;
/** Bytes of what a program says. */
const MAX_OUTPUT = 8 * 1024 * 1024;
/** kB of address space, and seconds of processor: what a file makes a decoder take beyond that ends it. */
const LIMITS = 'ulimit -v 2500000; ulimit -t 10; ulimit -f 0; ulimit -c 0; exec "$0" "$@"';
/** Of the shell, for a program that is not there or may not be run. */
const NOT_THERE = new Set([126, 127]);
const MAX_SIDE = 8_192;

/** A file is read as what it was judged to be, and nothing else: no playlist in it names another file or the network. */
const readAs = (path: string, kind: VideoKind): string[] => [
  ...['-v', 'error', '-protocol_whitelist', 'file', '-f', kind === 'webm' ? 'matroska' : 'mov', '-i', path],
];

interface Run {
  /** Undefined: the program is not there. */
  code: number | undefined;
  /** It took too long, said too much or was ended by its limits. */
  isBeyond: boolean;
  output: Buffer;
}

function run(program: string, args: string[], runMs: number): Promise<Run> {
  return new Promise((resolve) => {
    // Nothing of our environment: whoever takes over a decoder finds no secret in it.
    const child = spawn('/bin/sh', ['-c', LIMITS, program, ...args], {
      env: { PATH: PLACES, LC_ALL: 'C' },
      cwd: '/',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    giveWay(child);
    const pieces: Buffer[] = [];
    let bytes = 0;
    let isBeyond = false;
    const end = () => {
      isBeyond = true;
      child.kill('SIGKILL');
      child.stdout.destroy();
    };
    const timer = setTimeout(end, runMs);
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > MAX_OUTPUT) end();
      else pieces.push(piece);
    });
    child.stdout.on('error', () => undefined);
    child.once('error', () => {
      clearTimeout(timer);
      resolve({ code: undefined, isBeyond: false, output: Buffer.alloc(0) });
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const isThere = code === null || !NOT_THERE.has(code);
      resolve({
        code: isThere ? (code ?? 1) : undefined,
        isBeyond: isBeyond || signal !== null,
        output: Buffer.concat(pieces),
      });
    });
  });
}

/** ffmpeg and ffprobe for strangers' files: each run a process of its own, bounded in time, memory, processor and what it says. */
export function openFfmpeg({ ffmpeg = 'ffmpeg', ffprobe = 'ffprobe', log, runMs = RUN_MS }: FfmpegOptions): Ffmpeg {
  return {
    async check(path, kind) {
      const what = ['-select_streams', 'v:0', '-show_entries', 'stream=width,height', '-of', 'csv=p=0'];
      const { code, isBeyond, output } = await run(ffprobe, [...readAs(path, kind), ...what], runMs);
      if (code === undefined) return;
      const [width = NaN, height = NaN] = output.toString('latin1', 0, 100).split(/[,\n]/).map(Number);
      const isFine = width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE;
      if (isBeyond) log.warn({ kind }, 'a video took ffprobe beyond its limits');
      if (isBeyond || code !== 0 || !isFine) throw new VideoRefused('video-broken');
    },
    async frameOf(path, kind) {
      const frame = [
        '-frames:v',
        '1',
        '-an',
        '-sn',
        '-dn',
        '-vf',
        'scale=1280:1280:force_original_aspect_ratio=decrease',
      ];
      const out = ['-f', 'image2pipe', '-c:v', 'mjpeg', '-q:v', '3', 'pipe:1'];
      // The first picture is often black; a video of less than a second has no later one.
      for (const second of ['1', '0']) {
        const args = ['-nostdin', '-threads', '1', '-ss', second, ...readAs(path, kind), ...frame, ...out];
        const { code, isBeyond, output } = await run(ffmpeg, args, runMs);
        if (code === undefined) return undefined;
        if (isBeyond) return void log.warn({ kind }, 'a video took ffmpeg beyond its limits');
        if (code === 0 && output.length > 0) return output;
      }
      return undefined;
    },
  };
}
