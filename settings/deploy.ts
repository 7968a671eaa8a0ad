/**
 * Variables of `npm run deploy`. Its other input are arguments; no key or password is one, because other users see the
 * arguments of a process.
 */
import { z } from 'zod'
import { setting } from './setting.ts'

export const deployGroup = {
  RPC_URLS: setting(z.string().optional(), 'Nodes, of which the first is used. `--rpc-url` replaces it.'),
  DEPLOYER_PRIVATE_KEY: setting(
    z.string().optional(),
    'Key of the account that deploys. `--keystore` and `--from` are the alternatives.',
  ),
  KEYSTORE_PASSWORD: setting(z.string().optional(), 'Password of the file of `--keystore`.'),
}

export const deploySettings = z.object(deployGroup)

export type DeploySettings = z.output<typeof deploySettings>
