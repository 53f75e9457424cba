import { existsSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { frontendDir, viteFor } from './frontend.ts';
import { startService, type Service } from './services/service.ts';
import { root, type Settings } from './settings.ts';
import type { System } from './system.ts';

export interface DevOptions {
  settings: Settings;
  system: System;
  services: Service[];
  gatewayPort: number;
  say: (text: string) => void;
  signal: AbortSignal;
}

const SETTLE_MS = 150;

/**
 * `--dev`: restarts a service when its sources change, and all services when a package changes. vite serves the page on
 * PORT.
 */
export function startDev({ settings, system, services, gatewayPort, say, signal }: DevOptions): void {
  const onChange = (folder: string, act: () => void) => {
    if (!existsSync(folder)) return;
    let timer: NodeJS.Timeout | undefined;
    watch(folder, { recursive: true, signal }, (_event, file) => {
      if (!file || !/\.ts$/.test(file) || /\.test\.ts$/.test(file) || file.includes('generated')) return;
      clearTimeout(timer);
      timer = setTimeout(act, SETTLE_MS);
    });
  };
  const again = (chosen: Service[]) => {
    say(`sources changed, starting again: ${chosen.map(({ name }) => name).join(', ')}`);
    for (const service of chosen) service.restart();
  };
  for (const { name, entry } of system.services) {
    onChange(dirname(entry), () => again(services.filter(({ service }) => service === name)));
  }
  const ours = [...services];
  for (const name of ['contracts', 'event-store', 'kit']) {
    onChange(join(root, 'packages', name, 'src'), () => again(ours));
  }
  const { entry, args } = viteFor(settings.port);
  services.push(
    startService({
      name: 'vite',
      entry,
      args,
      cwd: dirname(frontendDir),
      env: { BELTWAY_GATEWAY: `http://127.0.0.1:${gatewayPort}` },
      logFile: join(settings.dataDir, 'logs', 'vite.log'),
      say,
    }),
  );
}
