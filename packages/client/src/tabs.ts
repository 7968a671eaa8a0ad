/** The other tabs of the page's origin, which may have the same session. */
import { pageOrigin } from './page.ts'

export type Change = 'begun' | 'ended'

export type Tabs = {
  /** Reports to the other tabs that this one began or ended a session. */
  announce: (change: Change) => void
  close: () => void
}

export const noTabs: Tabs = { announce: () => {}, close: () => {} }

/** Calls `listener` when another tab announces a change under this name. */
export function connectTabs(name: string, listener: (change: Change) => void): Tabs {
  // Node has channels, too: they would connect gateways of different visitors.
  if (pageOrigin() === undefined || typeof BroadcastChannel === 'undefined') return noTabs
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }) => listener(data === 'begun' ? 'begun' : 'ended')
  return { announce: (change) => channel.postMessage(change), close: () => channel.close() }
}
