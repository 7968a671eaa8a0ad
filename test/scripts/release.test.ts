/** A release is one version everywhere, and what the changelogs say of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { releaseChangelog } from '../../scripts/changelog.ts'
import { PACKAGES, ROOT, versionsIn, withVersion } from '../../scripts/versions.ts'

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const [current = ''] = versionsIn(read('package.json'))

describe('the version', () => {
  it('is the same in packages, lockfile, images and documents', () => {
    for (const [file, text] of withVersion(current)) expect(read(file), file).toBe(text)
  })

  it('is replaced in all of them, and nothing else is', () => {
    const next = withVersion('12.34.56')
    for (const [file, text] of next) {
      expect(new Set(versionsIn(text)), file).toEqual(new Set(['12.34.56']))
      const before = read(file).split('\n')
      const changed = text.split('\n').filter((line, i) => line !== before[i])
      for (const line of changed) expect(line, file).toContain('12.34.56')
    }
    expect([...next.keys()]).toEqual(
      expect.arrayContaining([
        'package-lock.json',
        'packages/react/package.json',
        'ops/kubernetes/gateway.yaml',
      ]),
    )
  })
})

describe('the changelog of a release', () => {
  it('has the unreleased changes under the version, and an empty section for the next ones', () => {
    const before =
      '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A $& b.\n\n## [0.1.0] - 2026-01-01\n\n- Began.\n'
    expect(releaseChangelog(before, '0.2.0', '2026-02-03')).toBe(
      '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-02-03\n\n### Added\n\n- A $& b.\n\n## [0.1.0] - 2026-01-01\n\n- Began.\n',
    )
  })

  it('says so where nothing changed', () => {
    expect(releaseChangelog('# Changelog\n\n## [Unreleased]\n', '0.2.0', '2026-02-03')).toBe(
      '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-02-03\n\nNo changes.\n',
    )
  })

  it('is not written twice', () => {
    const once = releaseChangelog('# Changelog\n\n## [Unreleased]\n\n- A.\n', '0.2.0', '2026-02-03')
    expect(() => releaseChangelog(once, '0.2.0', '2026-02-04')).toThrow('has a section 0.2.0 already')
  })

  it.each(PACKAGES)('can be made of the one in %s', (folder) => {
    const text = read(join(folder, 'CHANGELOG.md'))
    expect(releaseChangelog(text, '12.34.56', '2026-02-03')).toContain(
      '\n## [Unreleased]\n\n## [12.34.56] - 2026-02-03\n',
    )
  })
})

it('has the license in every package', () => {
  for (const folder of PACKAGES) expect(read(join(folder, 'LICENSE'))).toBe(read('LICENSE'))
})
