/** XML as text. */

/** Characters that XML 1.0 does not allow, also not as references. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** An element of these contents, in their order; nothing without contents. */
export function element(name: string, ...contents: readonly string[]): string {
  const content = contents.join('')
  return content === '' ? '' : `<${name}>${content}</${name}>`
}

/** A text as the content of an element or an attribute, at most `length` characters of it. */
export function text(value: string, length: number): string {
  const allowed = value.replace(FORBIDDEN, '\u{FFFD}')
  return [...allowed]
    .slice(0, length)
    .join('')
    .replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
}
