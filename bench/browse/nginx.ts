import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Options } from '../support/bench.ts';

/** Whether nginx is installed. If it is not, this side is skipped. */
export function hasNginx(): boolean {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts nginx in front of this server, with a cache of one second and one upstream request per key. It has one worker,
 * because our gateway is one process.
 */
export function startNginx(folder: string, port: number, upstream: number, { onEnd }: Pick<Options, 'onEnd'>): number {
  const root = join(folder, 'nginx');
  mkdirSync(join(root, 'cache'), { recursive: true });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path ${root}/${one};`,
  );
  writeFileSync(
    join(root, 'nginx.conf'),
    // Started as root, nginx would run its worker as another user, who cannot write to this folder.
    `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; worker_processes 1; pid ${root}/pid; error_log ${root}/error.log;
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 1000000000; sendfile on; tcp_nodelay on; ${temporary.join(' ')}
  proxy_cache_path ${root}/cache keys_zone=events:10m;
  upstream events { server 127.0.0.1:${upstream}; keepalive 16; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://events; proxy_http_version 1.1; proxy_set_header Connection '';
      proxy_cache events; proxy_cache_key $request_uri$http_accept_encoding; proxy_cache_valid 200 1s;
      proxy_ignore_headers Cache-Control Vary; proxy_cache_lock on; proxy_cache_use_stale updating;
    }
  }
}
`,
  );
  const child = spawn('nginx', ['-c', join(root, 'nginx.conf'), '-p', root], { stdio: 'inherit' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onEnd(() => {
    child.kill('SIGTERM');
    return ended;
  });
  return child.pid!;
}
