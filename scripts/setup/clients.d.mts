export function foldersWithClient(root: string): string[];
export function classOf(root: string, folder: string): string;
export function typesOf(root: string, folder: string): string;
export function staleClients(root: string, parts: { types: boolean }): string[];
export function discard(root: string, folder: string): void;
export function sign(root: string, folder: string): void;
export function tablesSignature(schema: string): string;
export function staleTables(root: string): string[];
