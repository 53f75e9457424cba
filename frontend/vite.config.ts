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
 * Lets the browser paint the HTML before scripts run: the inline script of index.html inserts the scripts afterwards.
 * The imports of the first script become separate scripts before it, each in its own task, because running them
 * together would block input on a slow phone.
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
 * Drops contract schemas that the page does not use. The build would keep them, because they are calls that may have
 * side effects. Creating all of them takes a slow phone a quarter of a second.
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
 * Replaces Zod's functions that create JSON Schemas with empty functions. The page does not use these functions, but
 * Zod's schemas reference them. They would be a twentieth of all scripts of the first load.
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

/** Preloads the first screen's two fonts, so that they need not wait until the style sheet is parsed. */
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
 * Compressed copies of text files, for browsers that accept them. Files smaller than a packet stay uncompressed. Local
 * builds (`--mode quick`) compress less, because the last tenth of the size is not worth three seconds.
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

/** Modules that main.tsx or the home page import statically, except modules that only the home page uses. */
const ofTheStart = new Set<string>();

/** Modules that the home page uses, including modules that it loads later. */
const ofHome = new Set<string>();
const isIconOfOthers = (id: string): boolean => /\/lucide-react\/dist\/esm\/icons\//.test(id) && !ofHome.has(id);

/** Collects both sets when all modules are known, before they are assigned to chunks. */
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
    // Zod's messages are reachable through its index, but load with forms (wordsWithForms).
    for (const id of ofTheStart) if (ZOD_WORDS.test(id)) ofTheStart.delete(id);
  },
};

const ZOD_WORDS = /\/zod\/v4\/locales\//;
/**
 * The files that each page needs in addition to the common files. The keys are the paths of the pages. The gateway
 * lists them in the page's Link header.
 */
const PAGE_FILES = {
  '/': 'src/routes/events/home.tsx',
  '/event': 'src/routes/events/event.tsx',
  '/organizer': 'src/routes/events/organizer.tsx',
  '/community': 'src/routes/community/posts.tsx',
  '/ticket-checkout': 'src/routes/checkout/ticket-checkout.tsx',
  '/auth': 'src/routes/account/auth.tsx',
  '/my-tickets': 'src/routes/account/my-tickets.tsx',
};

/** Lazily loaded modules that must work offline, in addition to the entry's own imports. */
const OFFLINE_PARTS = [
  'src/routes/events/home.tsx',
  'src/routes/account/my-tickets.tsx',
  'src/features/tickets/code-dialog.tsx',
  'src/features/tickets/qr.tsx',
  'src/layout/small-menu.tsx',
  'src/routes/account/auth.tsx',
  'src/routes/not-found.tsx',
];

/** The page's paths: the keys of its route table (src/router.tsx). */
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
 * Folder of files for the gateway only. The file server does not expose a folder whose name begins with a dot. It
 * contains the first screens (src/first-screen/render.tsx) as one self-contained file, and data about the page that the
 * build generates.
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

/** Applies a plugin to the browser build only, not to the server build. */
const forBrowsers = (plugin: Plugin): Plugin => ({
  ...plugin,
  applyToEnvironment: ({ name }) => name === 'client',
});

/** Passes the service worker the shell's file list and the built page to show offline (docs/decisions/0047). */
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
    /** The files of these modules and of all their imports. */
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
 * Removes Zod's default English messages from the first load. Only forms show them, for rules without a custom message,
 * so lib/forms/form.ts imports them.
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

/**
 * The production build of React Router. The package exports the development build, whose warnings would be 1/40 of all
 * scripts.
 */
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
  // Builds both environments, one after the other.
  builder: {},
  environments: {
    client: {
      build: {
        target: 'es2022',
        // Inlines nothing, because the page's content security policy forbids scripts and fonts from data: URLs.
        assetsInlineLimit: 0,
        // Preloads a chunk's dependencies, except those that every page has already loaded.
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
            // The service worker's URL defines its scope and must not change.
            entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
            // The first file names about two hundred others, and hashes do not compress, so this is the shortest hash
            // that the build allows.
            chunkFileNames: 'assets/[name]-[hash:7].js',
            // The style sheet of the embedded list has a fixed name, because pages of other releases must find it too.
            assetFileNames: ({ names }) =>
              names.includes('embed.css') ? '[name][extname]' : 'assets/[name]-[hash][extname]',
            // Separates libraries from our own code, so that after a release a returning visitor downloads only our
            // code.
            codeSplitting: {
              groups: [
                { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom)\// },
                { name: 'data', test: /node_modules\/(@tanstack|zod(?!\/v4\/locales))\// },
                { name: 'start', test: (id) => ofTheStart.has(id) },
                // The home page loads the weather card separately. An event's forecast shares these modules.
                {
                  name: 'weather-card',
                  test: /\/(features\/weather\/(weather-card|texts\.en)|lib\/weather\/weather)\.tsx?$/,
                },
                // Otherwise each icon would be a file of 300 bytes that the first file has to name.
                { name: 'icons', test: isIconOfOthers, minShareCount: 2 },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // Bundles all dependencies, because none are installed where this build runs. Resolves ES modules for tree
      // shaking.
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
