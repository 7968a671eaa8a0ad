import { pagePolicy } from '../http/security-headers.ts'

/**
 * The content policy of the explorer. Its scripts are files of its own host. Charts and wide tables set styles of their
 * elements; the analyst's desk compiles WebAssembly.
 *
 * @param origins hosts that it may call beside its own: a gateway elsewhere, or the node of a development system
 */
export function explorerPolicy(...origins: readonly string[]): string {
  return pagePolicy(
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    'img-src data:',
    `connect-src ${["'self'", ...origins].join(' ')}`,
  )
}
