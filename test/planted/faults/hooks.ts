import type { PlantedFault } from '../fault.ts'

/** packages/react/. */
export const hooksFaults: readonly PlantedFault[] = [
  {
    name: 'answers of hooks are kept without the input of their query',
    in: 'readKey',
    find: '[...gatewayKey(gateway), read, input] as const',
    replace: '[...gatewayKey(gateway), read] as const',
    caughtBy: ['queries'],
  },
  {
    name: 'pages of claims are kept without the headers of their request',
    in: 'claimsQuery',
    find: "readKey(gateway, 'claims', { input, headers })",
    replace: "readKey(gateway, 'claims', { input })",
    caughtBy: ['queries'],
  },
  {
    name: 'the series of a vault is kept without the vault',
    in: 'vaultSeriesQuery',
    find: "readKey(gateway, 'vaultSeries', { vault, ...input })",
    replace: "readKey(gateway, 'vaultSeries', { ...input })",
    caughtBy: ['queries'],
  },
  {
    name: 'a hook repeats a read after the milliseconds of Retry-After',
    in: 'retrying',
    find: 'stated * 1000',
    replace: 'stated',
    caughtBy: ['queries'],
  },
  {
    name: 'an amount has no unit where the address of its token is spelled with a checksum',
    in: 'useTokens',
    find: 'address === token.toLowerCase()',
    replace: 'address === token',
    caughtBy: ['read-hooks'],
  },
  {
    name: 'the rows of another gateway stay until those of the new one are read',
    in: 'formerOf',
    find: 'former?.queryKey[1] === origin ? rows : undefined',
    replace: 'origin && former && rows',
    caughtBy: ['read-hooks'],
  },
  {
    name: 'reads are not repeated after a transaction that failed',
    in: 'useRun',
    find: "onSuccess: () => report({ name: 'done' }), onError: () => report(undefined), onSettled: () => repeatReads(cache, gateway)",
    replace:
      "onSuccess: () => { report({ name: 'done' }); repeatReads(cache, gateway) },\nonError: () => report(undefined)",
    caughtBy: ['read-hooks'],
  },
  {
    name: 'a page in the background repeats its reads at each block',
    in: 'useLiveReads',
    find: 'if (!focusManager.isFocused()) return',
    replace: '',
    caughtBy: ['read-hooks'],
  },
  {
    name: 'the outcome of a transaction is reset at the first sign-in only',
    in: 'useReset',
    find: 'if (owner !== undefined) reset()',
    replace: 'if (owner === undefined) reset()',
    caughtBy: ['read-hooks'],
  },
  {
    name: 'a live read does not begin again with a new session of the wallet',
    in: 'useLive',
    area: 'packages/react',
    find: '[session?.token, id]',
    replace: '[session?.wallet, id]',
    caughtBy: ['read-hooks'],
  },
]
