/** The text of the section "Unreleased" of a changelog. */
export function unreleasedOf(changelog: string): string {
  return /^## Unreleased$(.*?)(?=^## |(?![\s\S]))/ms.exec(changelog)?.[1] ?? ''
}
