declare const location: { origin: string } | undefined

/** Origin of the page that runs this program; undefined outside of a browser. */
export function pageOrigin(): string | undefined {
  return typeof location === 'undefined' ? undefined : location.origin
}
