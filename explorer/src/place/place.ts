/** Addresses of the pages. They stand in the fragment of the URL, so any server of static files can serve them. */
import { useSyncExternalStore } from 'react'

/** `#/vaults/0x12?token=0x34` has the path `['vaults', '0x12']`. */
export type Place = { path: readonly string[]; params: URLSearchParams }

export function placeOf(fragment: string): Place {
  const [path = '', query] = fragment.replace(/^#?\/?/, '').split('?', 2)
  return {
    path: path
      .split('/')
      .filter((part) => part !== '')
      .map(decode),
    params: new URLSearchParams(query),
  }
}

/** @returns the fragment; parameters without a value are left out */
export function linkTo(path: readonly string[], params: Record<string, string | undefined> = {}): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const query = new URLSearchParams(given).toString()
  return `#/${path.map(encodeURIComponent).join('/')}${query && `?${query}`}`
}

/** The place that the address of the page names. */
export function usePlace(): Place {
  return placeOf(useSyncExternalStore(onFragment, () => location.hash))
}

/** Changes parameters of this place, without an entry in the history of the browser. */
export function replaceParams(change: Record<string, string | undefined>): void {
  const { path, params } = placeOf(location.hash)
  const next = linkTo(path, { ...Object.fromEntries(params), ...change })
  location.replace(next)
}

function onFragment(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

/** A fragment that a person has typed may be malformed. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
