/** Fields of a clear-signing descriptor (ERC-7730): a value, its label and its format. */
type Format = 'raw' | 'addressName' | 'tokenAmount' | 'date'
export type Shown = { path: string; label: string; format: Format; params?: object }
type Hidden = { path: string; label: string; format: 'raw'; visible: 'never' }
type Group = { path: string; label: string; iteration: 'bundled'; fields: Field[] }
type Field = Shown | Hidden | Group
export type Display = { intent: string; interpolatedIntent?: string; fields: Field[] }

export const raw = (path: string, label: string): Shown => ({ path, label, format: 'raw' })
export const hidden = (path: string, label: string): Hidden => ({
  path,
  label,
  format: 'raw',
  visible: 'never',
})
export const time = (path: string, label: string): Shown => ({
  path,
  label,
  format: 'date',
  params: { encoding: 'timestamp' },
})
export const party = (path: string, label: string, ...types: ('wallet' | 'contract' | 'token')[]): Shown => ({
  path,
  label,
  format: 'addressName',
  params: { types },
})
export const amount = (path: string, label: string, tokenPath: string): Shown => ({
  path,
  label,
  format: 'tokenAmount',
  params: { tokenPath },
})
