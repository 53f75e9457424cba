import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@beltway/kit/logger';
import { SEGMENT_FOLDERS } from '../broadcast/segments.ts';
import { startProgram } from './program.ts';

type SegmentFolder = (typeof SEGMENT_FOLDERS)[number];

export interface NginxOptions {
  /** The folder of nginx's files: configuration, segments, recordings (`recorded`). */
  folder: string;
  host: string;
  port: number;
  /** The module's file; null if the module is built in. */
  module: string | null;
  /** Called before a signal is accepted, and when it ends. */
  callbackUrl: string;
  log: Logger;
  onExit: (why: string) => void;
}

export interface Nginx {
  pid: number;
  /** Disconnects the encoder with this connection id. */
  drop(clientId: string): Promise<void>;
  /** Resolves when nginx has exited. */
  stop(): Promise<void>;
}

const quoted = (text: string) => `"${text.replace(/["\\$]/g, '\\$&')}"`;

/**
 * In seconds. First the minimum length of a segment, which begins with a key frame. Then the length of the playlist; a
 * player starts a few segments before the playlist's end.
 */
const SEGMENT_S = 1;
const PLAYLIST_S = 12;
/**
 * Size limit of one signal's recording in MB: the most that an object store accepts in one request. At 4 Mbit/s, a
 * recording reaches this size after two and a half hours.
 */
const MAX_RECORDED_MB = 4_500;

/**
 * Encoders publish to `live` under their stream key. An accepted signal is forwarded to `hls` or `kept` (which is also
 * recorded). The forwarding uses the signal's name and only this machine, so that no file name contains a stream key.
 */
const configuration = ({ folder, host, port, module, callbackUrl }: NginxOptions, socket: string): string => `
${module === null ? '' : `load_module ${quoted(module)};`}
daemon off;
master_process off;
pid ${quoted(join(folder, 'nginx.pid'))};
error_log stderr crit;
events { worker_connections 256; }
rtmp {
  access_log off;
  max_connections 200;
  timeout 15s;
  ping 10s;
  ping_timeout 10s;
  max_message 4M;
  notify_method post;
  server {
    listen ${host}:${port};
    ${/^(127\.0\.0\.1|0\.0\.0\.0)$/.test(host) ? '' : `listen 127.0.0.1:${port};`}
    application live {
      live on;
      deny play all;
      drop_idle_publisher 10s;
      on_publish ${callbackUrl};
      on_publish_done ${callbackUrl};
    }
    application hls {
      live on;
      allow publish 127.0.0.1;
      deny publish all;
      deny play all;
      on_publish ${callbackUrl};
      ${hls(folder, 'hls')}
    }
    application kept {
      live on;
      allow publish 127.0.0.1;
      deny publish all;
      deny play all;
      on_publish ${callbackUrl};
      ${hls(folder, 'hls-kept')}
      record all;
      record_path ${quoted(join(folder, 'recorded'))};
      record_max_size ${MAX_RECORDED_MB}M;
    }
  }
}
http {
  access_log off;
  client_body_temp_path ${quoted(join(folder, 'temp'))};
  proxy_temp_path ${quoted(join(folder, 'temp'))};
  fastcgi_temp_path ${quoted(join(folder, 'temp'))};
  uwsgi_temp_path ${quoted(join(folder, 'temp'))};
  scgi_temp_path ${quoted(join(folder, 'temp'))};
  server {
    listen ${quoted(`unix:${socket}`)};
    location /control { rtmp_control all; }
  }
}
`;
const hls = (folder: string, name: SegmentFolder) => `hls on;
      hls_path ${quoted(join(folder, name))};
      hls_nested on;
      hls_fragment ${SEGMENT_S}s;
      hls_playlist_length ${PLAYLIST_S}s;`;

/**
 * Rejects when another process has the port. That process may use the same folder, and its segments must not be
 * deleted.
 */
async function portIsFree(host: string, port: number): Promise<void> {
  const probe = createServer();
  probe.listen(port, host);
  await once(probe, 'listening');
  await new Promise((resolve) => probe.close(resolve));
}

/**
 * Starts nginx as an RTMP server with HLS. Deletes segments of an earlier run, but not recordings. Rejects while
 * another process has the port.
 */
export async function startNginx(options: NginxOptions): Promise<Nginx> {
  const { folder, host, port, log, onExit } = options;
  await portIsFree(host, port);
  for (const name of SEGMENT_FOLDERS) await rm(join(folder, name), { recursive: true, force: true });
  // A short path, because the path of a Unix socket has at most 107 characters.
  const control = await mkdtemp(join(tmpdir(), 'beltway-ingest-'));
  const socketPath = join(control, 'control');
  for (const name of [...SEGMENT_FOLDERS, 'recorded', 'temp'])
    await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
  const file = join(folder, 'nginx.conf');
  await writeFile(file, configuration(options, socketPath), { mode: 0o600 });
  let said = '';
  const child = startProgram('nginx', ['-p', folder, '-c', file], (line) => {
    said = line;
    log.debug({ line }, 'output of the media server');
  });
  const ended = (why: string) => {
    rm(control, { recursive: true, force: true }).catch(() => undefined);
    onExit(why);
  };
  child.once('error', (error) => ended(error.message));
  child.once('exit', () => ended(said));

  return {
    pid: child.pid ?? 0,
    drop: (clientId) =>
      new Promise((resolve) => {
        const path = `/control/drop/publisher?app=live&clientid=${encodeURIComponent(clientId)}`;
        const asking = request({ socketPath, path, timeout: 2_000 }, (res) => void res.resume().once('close', resolve));
        asking.once('timeout', () => asking.destroy());
        // A server that has exited has already disconnected all encoders.
        asking.once('error', () => resolve()).end();
      }),
    async stop() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
