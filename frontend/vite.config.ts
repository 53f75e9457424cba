import { createHash } from 'node:crypto';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import MagicString from 'magic-string';
import { defineConfig, type Plugin } from 'vite';
import type { FirstScreens, PageBuild } from '@beltway/contracts/common/first-screen';
import { LANGUAGES } from '@beltway/contracts/common/languages';
import { compiledTexts } from './scripts/compile-texts.ts';

const gateway = process.env['BELTWAY_GATEWAY'] ?? 'http://localhost:3000';

/**
 * What HTML says already is painted before the scripts come: the script of index.html puts them into the page then. The files that the
 * first one imports are scripts before it, each run in a task of its own: together they would keep a slow phone from answering.
 */
const laterScripts: Plugin = {
  name: 'later-scripts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => {
      const files: string[] = [];
      const without = html.replace(
        /\s*<(?:script type="module" crossorigin src|link rel="modulepreload" crossorigin href)="([^"]+)">(?:<\/script>)?/g,
        (_tag, file: string) => {
          files.push(file);
          return '';
        },
      );
      if (files.length < 2) throw new Error('The scripts of the page were not found in its HTML');
      return {
        html: without,
        tags: [
          {
            tag: 'meta',
            attrs: { name: 'scripts', content: [...files.slice(1), files[0]].join(' ') },
            injectTo: 'head',
          },
        ],
      };
    },
  },
};

/**
 * A schema of the contracts that nobody uses here is left out. By itself the build keeps it, as a call that might do something; and to make
 * all of them takes a slow phone a quarter of a second.
 */
const unusedSchemas: Plugin = {
  name: 'unused-schemas',
  apply: 'build',
  transform: {
    filter: { id: /\/packages\/contracts\/src\/[^?]*\.ts$/ },
    order: 'post',
    handler(code) {
      const text = new MagicString(code);
      for (const node of this.parse(code).body) {
        const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
        if (declaration?.type !== 'VariableDeclaration') continue;
        for (const { init } of declaration.declarations)
          if (init?.type === 'CallExpression' || init?.type === 'ObjectExpression')
            text.appendLeft(init.start, '/* @__PURE__ */ (() => (').appendRight(init.end, '))()');
      }
      return { code: text.toString(), map: text.generateMap({ hires: true }) };
    },
  },
};

/**
 * The page makes no JSON Schemas, but Zod's schemas name the functions that would, and so bring them along: a twentieth of all scripts of
 * the first load. They do nothing here.
 */
const noJsonSchemas: Plugin = {
  name: 'no-json-schemas',
  apply: 'build',
  transform: {
    filter: { id: /\/zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/ },
    handler(code) {
      const names = this.parse(code).body.flatMap((node) => {
        if (node.type !== 'ExportNamedDeclaration') return [];
        if (node.declaration?.type === 'FunctionDeclaration') return node.declaration.id?.name ?? [];
        if (node.declaration?.type === 'VariableDeclaration')
          return node.declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? id.name : []));
        return node.specifiers.flatMap(({ exported }) => (exported.type === 'Identifier' ? exported.name : []));
      });
      if (names.length < 6) throw new Error('The functions that make JSON Schemas were not found in Zod');
      return {
        code: `const none = () => none;\nexport { ${names.map((name) => `none as ${name}`).join(', ')} };`,
        map: null,
      };
    },
  },
};

const FIRST_FONTS = /(bricolage-grotesque|instrument-sans)-latin-wght-normal.*\.woff2$/;

/** The two faces of the first screen are asked for at once, not when the style sheet has been read. */
const preloadFonts: Plugin = {
  name: 'preload-fonts',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((file) => FIRST_FONTS.test(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
          injectTo: 'head' as const,
        })),
  },
};

/**
 * Compressed copies of text files, which the gateway sends to browsers that read them. Below a packet's size they are not worth it.
 * On one's own machine (`--mode quick`) the last tenth of the size is not worth the three seconds that it costs.
 */
const compressedCopies = (mode: string): Plugin => ({
  name: 'compressed-copies',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: mode === 'quick' ? 8 : constants.BROTLI_MAX_QUALITY };
    for (const name of await readdir(dir, { recursive: true })) {
      const file = join(dir, name);
      if (name.startsWith('.') || !/\.(js|css|svg|json|webmanifest|txt)$/.test(name) || (await stat(file)).size < 1_400)
        continue;
      const text = await readFile(file);
      await writeFile(`${file}.br`, await promisify(brotliCompress)(text, { params }));
      await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: 9 }));
    }
  },
});

/** Modules that main.tsx or the home page need at once; the home page's own aside, which no other page needs. */
const ofTheStart = new Set<string>();

/** Modules that the home page shows, also a moment later. */
const ofHome = new Set<string>();
const isIconOfOthers = (id: string): boolean => /\/lucide-react\/dist\/esm\/icons\//.test(id) && !ofHome.has(id);

/** Finds them when all modules are known, before they are put into files. */
const startModules: Plugin = {
  name: 'start-modules',
  apply: 'build',
  buildEnd() {
    const reach = (id: string, seen = new Set<string>()): Set<string> => {
      if (seen.has(id)) return seen;
      seen.add(id);
      this.getModuleInfo(id)?.importedIds.forEach((next) => reach(next, seen));
      return seen;
    };
    const at = (name: string) => [...this.getModuleIds()].find((id) => id.endsWith(`/frontend/src/${name}`)) ?? '';
    const home = at('routes/events/home.tsx');
    const others = (this.getModuleInfo(at('router.tsx'))?.dynamicallyImportedIds ?? [])
      .filter((id) => id !== home)
      .map((id) => reach(id));
    ofTheStart.clear();
    reach(at('main.tsx')).forEach((id) => ofTheStart.add(id));
    for (const id of reach(home)) if (others.some((other) => other.has(id))) ofTheStart.add(id);
    ofHome.clear();
    for (const id of [...ofTheStart, ...reach(home), ...reach(at('features/weather/weather-card.tsx'))]) ofHome.add(id);
    // Reached by zod's index: they come with forms (wordsWithForms).
    for (const id of ofTheStart) if (ZOD_WORDS.test(id)) ofTheStart.delete(id);
  },
};

const ZOD_WORDS = /\/zod\/v4\/locales\//;
/** What a page needs beside what every page loads, by its address: the gateway tells the browser of it with the page (Link). */
const PAGE_FILES = {
  '/': 'src/routes/events/home.tsx',
  '/event': 'src/routes/events/event.tsx',
  '/ticket-checkout': 'src/routes/checkout/ticket-checkout.tsx',
  '/auth': 'src/routes/account/auth.tsx',
  '/my-tickets': 'src/routes/account/my-tickets.tsx',
};

/** What opens without a network, beside what the page's own start needs: parts that are loaded by name. */
const OFFLINE_PARTS = [
  'src/routes/events/home.tsx',
  'src/routes/account/my-tickets.tsx',
  'src/features/tickets/code-dialog.tsx',
  'src/features/tickets/qr.tsx',
  'src/layout/small-menu.tsx',
  'src/routes/account/auth.tsx',
  'src/routes/not-found.tsx',
];

/** The addresses of the page: the keys of its table of routes (src/router.tsx). */
const addresses: string[] = [];
const pagePaths: Plugin = {
  name: 'page-paths',
  apply: 'build',
  transform: {
    filter: { id: /\/frontend\/src\/router\.tsx$/ },
    order: 'post',
    handler(code) {
      addresses.length = 0;
      for (const node of this.parse(code).body) {
        if (node.type !== 'VariableDeclaration') continue;
        for (const { id, init } of node.declarations)
          if (id.type === 'Identifier' && id.name === 'PAGES' && init?.type === 'ObjectExpression')
            for (const property of init.properties)
              if (property.type === 'Property' && property.key.type === 'Literal')
                addresses.push(String(property.key.value));
      }
      if (addresses.length === 0) throw new Error('The addresses of the page were not found in router.tsx');
    },
  },
};

/**
 * What the gateway alone reads, beside the page: no file server shows a folder whose name begins with a point. The first screens
 * (src/first-screen/render.tsx) as one file that needs nothing else, and what the build knows of the page.
 */
const FOR_GATEWAY = '.gateway';
const firstScreens: Plugin = {
  name: 'first-screens',
  config: ({ build: { outDir = 'dist' } = {} }) => ({
    environments: { ssr: { build: { outDir: join(outDir, FOR_GATEWAY) } } },
  }),
  applyToEnvironment: ({ name }) => name === 'ssr',
  async writeBundle({ dir = '' }) {
    const { prepare, headTexts } = (await import(pathToFileURL(join(dir, 'first-screens.js')).href)) as FirstScreens;
    await prepare();
    const texts = LANGUAGES.map((language) => [language, headTexts(language)]);
    await writeFile(join(dir, 'texts.json'), JSON.stringify(Object.fromEntries(texts)));
  },
};

/** For the browser's build only, not the server's. */
const forBrowsers = (plugin: Plugin): Plugin => ({
  ...plugin,
  applyToEnvironment: ({ name }) => name === 'client',
});

/** Tells the service worker which files are the shell, and gives it the built page to show without a network (docs/decisions/0047). */
const offlineShell: Plugin = {
  name: 'offline-shell',
  apply: 'build',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const take = (name: string, files: Set<string>) => {
      if (files.has(name)) return;
      files.add(name);
      const chunk = chunks.find(({ fileName }) => fileName === name);
      chunk?.viteMetadata?.importedCss.forEach((css) => files.add(css));
      chunk?.imports.forEach((one) => take(one, files));
    };
    /** The files that a part of the page needs, and all that they import. */
    const filesOf = (parts: string[]): Set<string> => {
      const files = new Set<string>();
      for (const part of parts) {
        const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/frontend/${part}`)));
        if (!chunk) throw new Error(`There is no ${part} in the build`);
        take(chunk.fileName, files);
      }
      return files;
    };
    const start = filesOf(['src/main.tsx']);
    const more = Object.entries(PAGE_FILES).map(([path, part]): [string, string[]] => [
      path,
      [...filesOf([part])].filter((file) => !start.has(file)).map((file) => `/${file}`),
    ]);
    const build: PageBuild = { paths: addresses, files: Object.fromEntries(more) };
    this.emitFile({ type: 'asset', fileName: `${FOR_GATEWAY}/page.json`, source: JSON.stringify(build) });

    const files = filesOf(['src/main.tsx', ...OFFLINE_PARTS]);
    Object.keys(bundle)
      .filter((file) => FIRST_FONTS.test(file))
      .forEach((file) => files.add(file));

    const page = bundle['index.html'];
    const worker = bundle['service-worker.js'];
    if (page?.type !== 'asset' || worker?.type !== 'chunk')
      throw new Error('The page or its service worker is missing');
    if (worker.imports.length > 0) throw new Error(`The service worker imports ${worker.imports.join(', ')}`);
    this.emitFile({ type: 'asset', fileName: 'offline.html', source: page.source });
    const paths = [
      '/offline.html',
      ...[...files].sort().map((file) => `/${file}`),
      '/favicon.svg',
      '/manifest.webmanifest',
    ];
    const version = createHash('sha256').update(paths.join()).update(page.source).digest('hex').slice(0, 16);
    worker.code = `const SHELL=${JSON.stringify({ version, files: paths })};${worker.code}`;
  },
};

/**
 * Zod's own English, for what a schema finds wrong without words of its own. Only forms show that: lib/forms/form.ts brings it along, and the
 * first load does without.
 */
const wordsWithForms: Plugin = {
  name: 'words-with-forms',
  apply: 'build',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^\.\.\/locales\/en\.js$/ },
    handler: (_id, importer) => (importer && /\/zod\/v4\/classic\/schemas\.js$/.test(importer) ? '\0no-words' : null),
  },
  load: { filter: { id: /^\0no-words$/ }, handler: () => 'export default () => ({});' },
};

/** The router exports its build for developers alone, whose warnings are a fortieth of all scripts: the page gets its other build. */
const router = join(import.meta.dirname, '..', 'node_modules/react-router/dist/production');

export default defineConfig(({ mode, command }) => ({
  plugins: [
    react(),
    tailwindcss(),
    compiledTexts,
    wordsWithForms,
    unusedSchemas,
    noJsonSchemas,
    firstScreens,
    ...[pagePaths, preloadFonts, laterScripts, startModules, offlineShell, compressedCopies(mode)].map(forBrowsers),
  ],
  resolve: {
    alias:
      command === 'build'
        ? [
            { find: /^react-router$/, replacement: join(router, 'index.mjs') },
            { find: /^react-router\/dom$/, replacement: join(router, 'dom-export.mjs') },
          ]
        : [],
  },
  // Both are built, one after the other.
  builder: {},
  environments: {
    client: {
      build: {
        target: 'es2022',
        // Nothing inline: the page's content security policy has no room for data: scripts or fonts.
        assetsInlineLimit: 0,
        // What a part is preloaded with, without what every page has already.
        modulePreload: {
          resolveDependencies: (_file, files, { hostType }) =>
            hostType === 'js'
              ? files.filter((file) => !/\/(react|data|start|rolldown-runtime)-[^/]*\.js$/.test(file))
              : files,
        },
        rolldownOptions: {
          input: {
            index: 'index.html',
            'service-worker': 'src/service-worker/service-worker.ts',
            embed: 'src/embed/embed.css',
          },
          output: {
            // Its address is its scope, and stays.
            entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
            // The first file names some two hundred others, and of a hash nothing is compressed: as few characters as the build allows.
            chunkFileNames: 'assets/[name]-[hash:7].js',
            // The embedded list names its style sheet, which other releases must find too.
            assetFileNames: ({ names }) =>
              names.includes('embed.css') ? '[name][extname]' : 'assets/[name]-[hash][extname]',
            // What changes with each release apart from what stays: a returning visitor loads only our own part again.
            codeSplitting: {
              groups: [
                { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom)\// },
                { name: 'data', test: /node_modules\/(@tanstack|zod(?!\/v4\/locales))\// },
                { name: 'start', test: (id) => ofTheStart.has(id) },
                // The home page loads it separately; an event's forecast uses the same parts.
                {
                  name: 'weather-card',
                  test: /\/(features\/weather\/(weather-card|texts\.en)|lib\/weather\/weather)\.tsx?$/,
                },
                // Alone, each would be a file of 300 bytes, named in the first one.
                { name: 'icons', test: isIconOfOthers, minShareCount: 2 },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // Nothing is left to be found where it runs; as modules, of which only what is used is taken.
      resolve: { noExternal: true, conditions: ['module-sync', 'module', 'node', 'production'] },
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        ssr: 'src/first-screen/render.tsx',
        emptyOutDir: false,
        copyPublicDir: false,
        minify: true,
        rolldownOptions: { output: { entryFileNames: 'first-screens.js', codeSplitting: false } },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/media', '/sandbox', '/dev', '/socket.io', '^/embed(\\?|$)'].map((path) => [
        path,
        { target: gateway, changeOrigin: true, ws: path === '/socket.io' },
      ]),
    ),
  },
}));
