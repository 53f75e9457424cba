import { spawn } from 'node:child_process';
import type { Logger } from '@beltway/kit/logger';
import { giveWay } from '@beltway/kit/give-way';
import type { VideoKind } from './found.ts';
import { VideoRefused } from './refusal.ts';

export interface FfmpegOptions {
  /** Paths of the programs; by default, the usual folders of package managers. A missing program is not used. */
  ffmpeg?: string;
  ffprobe?: string;
  log: Logger;
  /** Timeout of a run. Default 8 s. */
  runMs?: number;
}

export interface Ffmpeg {
  /**
   * Checks that a decoder reads the file's header as we do; otherwise throws `VideoRefused`. Does nothing without
   * ffprobe.
   */
  check(path: string, kind: VideoKind): Promise<void>;
  /** A frame of the video as JPEG. Undefined without ffmpeg, or if ffmpeg cannot make a frame. */
  frameOf(path: string, kind: VideoKind): Promise<Buffer | undefined>;
}

/** The usual folders of programs. */
const PLACES = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';
const RUN_MS = 8_000;
/** Maximum bytes of a program's output. */
const MAX_OUTPUT = 8 * 1024 * 1024;
/**
 * Limits for each run: kB of memory address space and seconds of CPU. A file that makes a decoder exceed these limits
 * is refused.
 */
const LIMITS = 'ulimit -v 2500000; ulimit -t 10; ulimit -f 0; ulimit -c 0; exec "$0" "$@"';
/** Exit codes of the shell for a program that is missing or not executable. */
const NOT_THERE = new Set([126, 127]);
const MAX_SIDE = 8_192;

/**
 * Reads a file only as the checked type, so that a playlist inside the file cannot refer to another file or the
 * network.
 */
const readAs = (path: string, kind: VideoKind): string[] => [
  ...['-v', 'error', '-protocol_whitelist', 'file', '-f', kind === 'webm' ? 'matroska' : 'mov', '-i', path],
];

interface Run {
  /** undefined if the program is missing. */
  code: number | undefined;
  /** The program exceeded its time, its output or its resource limits. */
  isBeyond: boolean;
  output: Buffer;
}

function run(program: string, args: string[], runMs: number): Promise<Run> {
  return new Promise((resolve) => {
    // An empty environment, so that an exploited decoder finds no secrets.
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

/** ffmpeg and ffprobe for untrusted files. Each run is its own process, with limits on time, memory, CPU and output. */
export function openFfmpeg({ ffmpeg = 'ffmpeg', ffprobe = 'ffprobe', log, runMs = RUN_MS }: FfmpegOptions): Ffmpeg {
  return {
    async check(path, kind) {
      const what = ['-select_streams', 'v:0', '-show_entries', 'stream=width,height', '-of', 'csv=p=0'];
      const { code, isBeyond, output } = await run(ffprobe, [...readAs(path, kind), ...what], runMs);
      if (code === undefined) return;
      const [width = NaN, height = NaN] = output.toString('latin1', 0, 100).split(/[,\n]/).map(Number);
      const isFine = width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE;
      if (isBeyond) log.warn({ kind }, 'a video exceeded the limits of ffprobe');
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
      // Tries the frame at one second first, because the first frame is often black. A video shorter than that has only
      // the first frame.
      for (const second of ['1', '0']) {
        const args = ['-nostdin', '-threads', '1', '-ss', second, ...readAs(path, kind), ...frame, ...out];
        const { code, isBeyond, output } = await run(ffmpeg, args, runMs);
        if (code === undefined) return undefined;
        if (isBeyond) return void log.warn({ kind }, 'a video exceeded the limits of ffmpeg');
        if (code === 0 && output.length > 0) return output;
      }
      return undefined;
    },
  };
}
