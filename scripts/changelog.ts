/** The changelogs: CHANGELOG.md and those of the packages. */

/** The text of the section "Unreleased" of a changelog. */
export function unreleasedOf(changelog: string): string {
  return /^## \[Unreleased\]$(.*?)(?=^## |(?![\s\S]))/ms.exec(changelog)?.[1] ?? ''
}

/** Makes the section "Unreleased" that of a version, with an empty one before it. */
export function releaseChangelog(changelog: string, version: string, date: string): string {
  if (!/^## \[Unreleased\]$/m.test(changelog))
    throw new Error('the changelog has no section "## [Unreleased]"')
  if (changelog.includes(`\n## [${version}] `))
    throw new Error(`the changelog has a section ${version} already`)
  const changes = unreleasedOf(changelog).trim() || 'No changes.'
  const [before = '', after = ''] = changelog.split(`## [Unreleased]${unreleasedOf(changelog)}`)
  return `${`${before}## [Unreleased]\n\n## [${version}] - ${date}\n\n${changes}\n\n${after}`.trimEnd()}\n`
}
