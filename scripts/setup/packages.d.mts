interface Scope {
  dev: boolean;
}
export function hasDevelopment(root: string): boolean;
export function markInstalling(root: string): void;
export function markEnded(root: string): void;
export function markInstalled(root: string): void;
export function isFresh(root: string): boolean;
export function isInstalled(root: string, scope: Scope): boolean;
export function isReadyToStart(root: string): boolean;
export function foldersToInstall(root: string, scope: Scope, machine?: { platform: string; arch: string }): string[];
export function countInstalled(root: string, folders: string[]): number;
