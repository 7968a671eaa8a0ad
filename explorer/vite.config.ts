/**
 * Builds the explorer as static files. `GATEWAY_URL` is the origin of the gateway; without it, the gateway serves the
 * files itself. The client verifies prepared answers against the manifest of `CHAIN_ID` in `DEPLOYMENTS_DIR`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
import { explorerPolicy } from '../api/pages/explorer-policy.ts'
import { loadManifest } from '../deployments/manifest.ts'

const ROOT = join(import.meta.dirname, '..')
const OUT = join(ROOT, '.cache/explorer')
const { GATEWAY_URL = '', CHAIN_ID = '31337', DEPLOYMENTS_DIR } = process.env

/** Better qualities take twice as long or more to save a twentieth. */
const qualityOf = (bytes: Uint8Array) => (bytes.length > 1_000_000 ? 5 : 9)
const brotli = (bytes: Uint8Array) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: qualityOf(bytes) } })
const COMPRESSED = new Set(['.js', '.css', '.wasm', '.svg'])

/** Writes a `.br` and a `.gz` beside each text, which servers of static files send in its place. */
const compress: Plugin = {
  name: 'compress',
  writeBundle({ dir = OUT }) {
    const folder = join(dir, 'assets')
    for (const name of readdirSync(folder)) {
      if (!COMPRESSED.has(extname(name))) continue
      const bytes = readFileSync(join(folder, name))
      writeFileSync(join(folder, `${name}.br`), brotli(bytes))
      writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes))
    }
  },
}

/**
 * The policy of a page on another host, which sends no header of ours. Browsers take `frame-ancestors` from a header
 * only.
 */
const policy: Plugin = {
  name: 'policy',
  transformIndexHtml(html) {
    if (GATEWAY_URL === '') return html
    const content = explorerPolicy(new URL(GATEWAY_URL).origin).replace(/frame-ancestors[^;]*; /, '')
    const tag = `<meta http-equiv="Content-Security-Policy" content="${content}">`
    return html.replace('<meta charset', `${tag}\n    <meta charset`)
  },
}

export default defineConfig({
  root: import.meta.dirname,
  // Any path of any host.
  base: './',
  logLevel: 'warn',
  define: {
    __GATEWAY_URL__: JSON.stringify(GATEWAY_URL),
    __DEPLOYMENT__: JSON.stringify(loadManifest(Number(CHAIN_ID), DEPLOYMENTS_DIR)),
  },
  resolve: {
    alias: {
      'claim-financing-client': join(ROOT, 'packages/client/src/index.ts'),
      'claim-financing-react': join(ROOT, 'packages/react/src/index.ts'),
    },
  },
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Hooks are marked for servers of React, which this bundle is not for.
      onLog: (level, log, report) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log),
    },
  },
  plugins: [compress, policy],
})
