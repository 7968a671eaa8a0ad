/** Settings that more than one process has, declared once. */
import { chainId, databaseUrl, oneOf, rpcUrls, text } from './formats.ts'
import { setting } from './setting.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export const shared = {
  DATABASE_URL: setting(
    databaseUrl,
    'The shared Postgres. Each process has a [role of its own](security.md#database-roles).',
  ),
  RPC_URLS: setting(
    rpcUrls,
    'Nodes, in the order in which they are tried. The next one is used when one fails or serves another chain.',
  ),
  CHAIN_ID: setting(chainId, 'Chain that is served. It selects the manifest.'),
  DEPLOYMENTS_DIR: setting(text.optional(), 'Folder of the manifests, `<chainId>.json`.', {
    byDefault: '`deployments` of the project',
  }),
  LOG_LEVEL: setting(oneOf(logLevels).default('info'), 'Least severe level that is logged.'),
  ALLOW_UNENCRYPTED: setting(
    oneOf(['yes', 'no']).default('no'),
    '`yes` allows connections to public addresses without TLS, for networks that are private all the same ([refused settings](operations.md#refused-settings)).',
  ),
  NODE_TLS_REJECT_UNAUTHORIZED: setting(
    text.optional(),
    'A setting of Node. `0` disables the check of every certificate and is refused.',
  ),
}

/** Settings of every process that stays connected. */
export const { ALLOW_UNENCRYPTED, NODE_TLS_REJECT_UNAUTHORIZED } = shared
