import { expect, test } from 'vitest'
import { commentsIn, countCommentOpenings, INDIRECT_OPENINGS } from './comment-openings.ts'

test('a comment counts once, by its first line, whatever its marks, and no directive counts', () => {
  const code = [
    '/** What a row is. */',
    '/**',
    ' * Returns it.',
    ' * When asked twice, the same.',
    ' */',
    'const url = "https://example.org" // trailing',
    '// Whoever comes here',
    '// When it is late.',
    '  /* Of a page. */',
    '// oxlint-disable-next-line no-empty',
  ]
  expect(commentsIn(code.join('\n'))).toEqual(['What a row is.', 'Returns it.', 'Whoever comes here', 'Of a page.'])
})

test('openings are counted over the whole tree, each comment at most once, and none is refused', () => {
  const { comments, byOpening } = countCommentOpenings()
  expect(comments).toBeGreaterThan(10_000)
  expect(Object.keys(byOpening)).toEqual(Object.keys(INDIRECT_OPENINGS))
  const openings = Object.values(INDIRECT_OPENINGS)
  for (const text of [
    'What it is',
    'Who asks',
    'Nothing',
    'Only one',
    'So many rows',
    'Taken',
    'Of a page',
    'Its name',
  ])
    expect([text, openings.filter((opening) => opening.test(text)).length]).toEqual([text, 1])
  expect(openings.some((opening) => opening.test('Returns what a row is.'))).toBe(false)
})
