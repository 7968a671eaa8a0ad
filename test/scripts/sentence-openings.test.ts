/** The check of sentences finds each opening that hides a subject, in comments and in Markdown, and nothing else. */
import { describe, expect, it } from 'vitest'
import { findOpenings } from '../../scripts/sentence-openings.ts'

const found = (path: string, text: string) => findOpenings(path, text)

describe.each(['Of', 'The same', 'What'])('a sentence that opens with "%s"', (words) => {
  it.each([
    ['a.ts', `/** ${words} rows. */`, 1],
    ['a.ts', `const a = 1\n/**\n * First.\n * ${words} rows. */`, 4],
    ['a.ts', `/**\n * First. ${words} rows.\n */`, 2],
    ['a.ts', `  // ${words} \`rows\`.`, 1],
    ['a.ts', `const a = 1 // ${words} rows.`, 1],
    ['A.sol', `/// @dev First. ${words} rows.`, 1],
    ['a.sql', `select 1; -- ${words} rows.`, 1],
    ['a.yaml', `a: 1\n# ${words} rows.`, 2],
    ['Dockerfile', `# ${words} rows.`, 1],
    ['a.md', `First. ${words} rows.`, 1],
    ['a.md', `- **${words} rows** are first.`, 1],
    ['a.md', `## ${words} rows`, 1],
    ['a.md', `| a | ${words} rows |`, 1],
    ['a.md', `\`\`\`\ncode\n\`\`\`\n${words} rows.`, 4],
  ])('is found in %s: %j', (path, text, line) => {
    expect(found(path, text)).toEqual([{ line, words }])
  })
})

it('finds an opening that is broken over two lines', () => {
  expect(found('a.ts', '/**\n * First. The\n * same rows.\n */')).toEqual([{ line: 2, words: 'The same' }])
})

it.each([
  ['code', 'a.ts', `const a = 'What rows'\nconst b = \`\nWhat rows\``],
  ['the address of a page', 'a.ts', `const a = 'https://What.example'`],
  ['the middle of a sentence', 'a.ts', '// Rows of a page are the same, of which "What" is one.'],
  ['a longer word', 'a.ts', '// Offers. Whatever. The sameness.'],
  ['a code block', 'a.md', '```\nWhat rows\n```'],
  ['inline code', 'a.md', '`What rows`'],
  ['a question of a reader', 'a.md', '## What does it cost?'],
  ['a file of another kind', 'a.csv', 'What rows'],
])('accepts %s', (_, path, text) => {
  expect(found(path, text)).toEqual([])
})
